#!/bin/sh
# Everything that needs a real GPU, in one call: checks against the exact reference, tests of the
# CUDA interface, compute-sanitizer, and the benchmark beside cuFFT and VkFFT. The short table comes
# last; whole logs, JSON lines and the plot go to RESULTS.
#
# usage: bench/gpu.sh pack [BUILD]    on a machine with the packages of tools/packages.txt: puts the
#                                     programs of a finished build (default: build, made if it is
#                                     not there), the libraries that they need and VkFFT's
#                                     adapters, if its header (and CUDA's, or glslang) are here,
#                                     into build-gpu/
#        bench/gpu.sh [STAGE ...]     on the machine with the GPU, which needs nothing but the
#                                     driver, NVRTC and, for their stages, cuFFT and
#                                     compute-sanitizer. Without build-gpu/ it builds from source.
# Stages, by default all but the last six, in this order:
#        info      the GPU, the libraries found, the devices that weft sees
#        check     transforms against the reference, on CUDA and, if it is there, on OpenCL
#        test      streams, graphs, wrapped memory, contexts; and the suite of devices (every kind,
#                  precision, storage and layout between guards, hooks, convolutions) through CUDA
#                  and OpenCL; lines of reals that blocks share
#        sanitize  memcheck and racecheck over a small set of transforms
#        bench     the sizes that matter most, f32, and some f64: about two minutes
#        table     as bench, every size of the tables in docs/performance.md: about six minutes
#        kinds     the real and trigonometric kinds: checks, and speed beside cuFFT and VkFFT:
#                  about eight minutes with both rivals
#        large     arrays of more than 2^31 elements, for which it takes 60 GB of memory
#        stream    data beyond the memory that may be used, beside the link between host and GPU
#        vulkan    the device's tests, checks and speed through Vulkan, if its driver is there,
#                  beside VkFFT's, whose compiler is in its adapter: about six minutes
#        spills    registers and spills of the kernels of many plans, by NVRTC
# Variables: RESULTS, the folder for logs (default: $OUT, else build-gpu/results); GPU, the device
# (default: cuda:0); VULKAN, the one of stage vulkan (default: NVIDIA's first); RIVALS (default:
# cufft,vkfft, as far as they are there); SIZES, instead of the sizes of bench.
# The exit status is 1 if any stage failed.
set -u
cd "$(dirname "$0")/.." || exit 2

packed=build-gpu
results=${RESULTS:-${OUT:-$packed/results}}
gpu=${GPU:-cuda:0}

# ---- packing ----

# Libraries that a program needs, but for those of libc, which belong to the machine.
libraries_of() {
    ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
        grep -v -E '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*|libcuda)\.so' || true
}

# VkFFT is a header.
find_vkfft() {
    ls -d ${VKFFT_INCLUDE:-} /usr/include /usr/include/vkfft /usr/local/include 2>/dev/null |
        while read -r folder; do
            [ -f "$folder/vkFFT.h" ] && echo "$folder" && break
        done
}

# Its adapter for Vulkan has glslang in it, whose static libraries need those of SPIRV-Tools.
# GLSLANG: where include/ and lib/ of glslang are, if not in /usr.
pack_vkfft_vulkan() {
    header=$(find_vkfft)
    glslang=${GLSLANG:-/usr}
    [ -n "$header" ] && [ -d "$glslang/include/glslang/Include" ] || {
        echo "VkFFT on Vulkan is left out: vkFFT.h or glslang is not here (VKFFT_INCLUDE, GLSLANG)"
        return
    }
    libraries=""
    for name in glslang SPIRV MachineIndependent GenericCodeGen OSDependent OGLCompiler HLSL \
        SPVRemapper glslang-default-resource-limits SPIRV-Tools-opt SPIRV-Tools; do
        for folder in "$glslang"/lib/*-linux-gnu "$glslang/lib" /usr/lib/*-linux-gnu; do
            [ -f "$folder/lib$name.a" ] && libraries="$libraries $folder/lib$name.a" && break
        done
    done
    adapter=$packed/lib/libweft_vkfft_vulkan.so
    "${CC:-gcc}" -O2 -s -w -shared -fPIC -Iinclude -I"$header" \
        -I"$glslang/include/glslang/Include" -I"$glslang/include" bench/vkfft_vulkan.c \
        -o "$adapter" -Wl,--start-group $libraries -Wl,--end-group \
        -lvulkan -lstdc++ -lpthread -lm || {
        echo "VkFFT on Vulkan is left out: its adapter does not compile"
        return
    }
    libraries_of "$adapter" | while read -r library; do cp -L "$library" "$packed/lib/"; done
}

# Its adapter for CUDA needs CUDA's headers.
pack_vkfft() {
    header=$(find_vkfft)
    cuda=$(ls -d /usr/local/cuda /usr/local/cuda-* 2>/dev/null | head -n 1)
    if [ -z "$header" ] || [ -z "$cuda" ]; then
        echo "VkFFT is left out: vkFFT.h or CUDA's headers are not here (VKFFT_INCLUDE)"
        return
    fi
    # The driver is not here to be linked with: a library of its name and nothing in it is.
    stub=$(mktemp -d)
    echo | "${CC:-gcc}" -shared -x c - -Wl,-soname,libcuda.so.1 -o "$stub/libcuda.so"
    "${CC:-gcc}" -O2 -w -shared -fPIC -Iinclude -I"$header" -I"$cuda/include" bench/vkfft_cuda.c \
        -o "$packed/lib/libweft_vkfft.so" -L"$stub" -L"$cuda/lib64" -L"$cuda/lib" \
        -Wl,--no-as-needed -lcuda -lnvrtc -lcudart_static -lpthread -lrt -ldl -lm ||
        echo "VkFFT is left out: its adapter does not compile"
    rm -rf "$stub"
}

pack() {
    build=${1:-build}
    [ -x "$build/weft" ] || make BUILD="$build" || return 1
    rm -rf "$packed/bin" "$packed/lib"
    mkdir -p "$packed/bin" "$packed/lib"
    for program in weft tests/test_cuda tests/test_cuda_device tests/test_cuda_compile \
        tests/test_large tests/test_opencl tests/test_shared_reals tests/test_stream \
        tests/test_stream_lines tests/test_vulkan tests/test_vulkan_handles \
        tests/test_vulkan_failures tests/test_vulkan_images; do
        program=$build/$program
        [ -x "$program" ] || { echo "$program is not there: build it first"; return 1; }
        strip -o "$packed/bin/${program##*/}" "$program"
        libraries_of "$program" | while read -r library; do
            cp -L "$library" "$packed/lib/"
        done
    done
    "${CC:-gcc}" -O2 -s -Iinclude bench/stream.c "$build/libweft.a" -lm -lpthread -ldl \
        -o "$packed/bin/stream" || return 1
    for loader in libOpenCL libvulkan; do
        loader=$(ldconfig -p | awk -v name="$loader" 'index($0, name ".so.1 ") { print $NF; exit }')
        [ -z "$loader" ] || cp -L "$loader" "$packed/lib/"
    done
    pack_vkfft
    pack_vkfft_vulkan
    du -sh "$packed"
}

# ---- the machine with the GPU ----

failed=""

# Runs a command within some seconds, its output to a log and, if it fails, the log's end to us.
stage() {
    name=$1
    seconds=$2
    shift 2
    start=$(date +%s)
    status=0
    timeout "$seconds" "$@" >"$results/$name.log" 2>&1 || status=$?
    echo "$name: status $status, $(($(date +%s) - start)) s"
    [ "$status" -eq 0 ] && return
    failed="$failed $name"
    tail -n 25 "$results/$name.log"
}

# Folders that hold the file, wherever CUDA's libraries are usually put.
find_folders() {
    for folder in /usr/local/cuda/lib64 /usr/local/cuda/lib /usr/local/nvidia/lib64 \
        /usr/lib/x86_64-linux-gnu \
        $(python3 -c 'import sys; print(*[p + "/nvidia" for p in sys.path if p])' 2>/dev/null |
            tr ' ' '\n' | while read -r top; do ls -d "$top"/*/lib 2>/dev/null; done); do
        ls "$folder"/$1 >/dev/null 2>&1 && echo "$folder"
    done
}

find_libraries() {
    for file in 'libcuda.so.1' 'libnvrtc.so.1[123]' 'libcufft.so.1[12]' 'libcudart.so.1[23]'; do
        folder=$(find_folders "$file" | head -n 1)
        [ -n "$folder" ] && LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder
    done
    export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$PWD/$packed/lib"
    nvrtc=$(find_folders 'libnvrtc.so.1[123]' | head -n 1)
    [ -n "${WEFT_NVRTC:-}" ] || [ -z "$nvrtc" ] ||
        export WEFT_NVRTC="$(ls "$nvrtc"/libnvrtc.so.1[123] | head -n 1)"
    export WEFT_VKFFT="${WEFT_VKFFT:-$PWD/$packed/lib/libweft_vkfft.so}"
    adapter=$PWD/$packed/lib/libweft_vkfft_vulkan.so
    export WEFT_VKFFT_VULKAN="${WEFT_VKFFT_VULKAN:-$adapter}"
    PATH=$PATH:/usr/local/cuda/bin
}

# NVIDIA's OpenCL needs a loader and a file that names it.
find_opencl() {
    [ -n "$(find_folders libnvidia-opencl.so.1)" ] || return
    mkdir -p "$results/icd"
    echo libnvidia-opencl.so.1 >"$results/icd/nvidia.icd"
    export OCL_ICD_VENDORS="$PWD/$results/icd"
    case $results in /*) export OCL_ICD_VENDORS="$results/icd" ;; esac
}

# Likewise its Vulkan, which is in the library for X11 or in that for none.
find_vulkan() {
    mkdir -p "$results/icd"
    folder=$(cd "$results/icd" && pwd)
    for library in libGLX_nvidia.so.0 libEGL_nvidia.so.0; do
        [ -n "$(find_folders $library)" ] || continue
        printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", %s}}\n' \
            "$library" '"api_version": "1.3.0"' >"$folder/$library.json"
        export VK_ICD_FILENAMES="${VK_ICD_FILENAMES:+$VK_ICD_FILENAMES:}$folder/$library.json"
    done
}

# Whatever was built elsewhere, if it runs here; otherwise from source.
find_programs() {
    weft=$packed/bin/weft
    tests=$packed/bin
    "$weft" --version >/dev/null 2>&1 && return
    echo "building from source"
    make BUILD="$packed/build" >"$results/build.log" 2>&1 ||
        { tail -n 20 "$results/build.log"; exit 1; }
    weft=$packed/build/weft
    tests=$packed/build/tests
}

# ---- the stages ----

info() {
    env -u LD_LIBRARY_PATH nvidia-smi -L
    env -u LD_LIBRARY_PATH nvidia-smi --format=csv,noheader \
        --query-gpu=driver_version,clocks.max.sm,clocks.max.mem
    echo "NVRTC: ${WEFT_NVRTC:-not found}; LD_LIBRARY_PATH: $LD_LIBRARY_PATH"
    "$weft" devices
}

# One line a list: they are checked side by side, for compiling the kernels takes long.
check_lists() {
    cat <<END
1..24 1048576 64x64 100@7
25..48 4194304 128x128 101@9
49..70,96,97 1000000 37@1000 1018081
100,101,121,125,127,128 999983 32x32x32
169,243,251,256,343,360 262144 64x64x64
509,512,625,729,1000,1009 531441 1000x1000
1024,1331,1920,2000,2018,2039 131072 1009x12
2048,2187,2401,3125,4093,4096 100000 17x19x23
5000,8192,10000,10007,16384 65537 2x3x4x5x6
19683,32768,44100,65536 16777216 512x512
END
}

# Checks what the standard input says, some arguments of `weft check` a line, in both precisions.
check_each() {
    while read -r arguments; do
        echo "-p f32 $arguments"
        echo "-p f64 $arguments"
    done | xargs -P 12 -I{} sh -c "$weft check --device $1 --inverse {} || echo 'FAILED: {}'" \
        >"$results/check_$2.lines" 2>&1
    grep -E 'ABOVE|FAILED|^weft' "$results/check_$2.lines"
    awk '$NF == "ok" { ok++ } END { print ok + 0, "transforms within the limits" }' \
        "$results/check_$2.lines"
    ! grep -q -E 'ABOVE|FAILED' "$results/check_$2.lines"
}

check() {
    check_lists | check_each "$1" "$2"
}

check_opencl() {
    device=$("$weft" devices | awk '/^opencl/ && /NVIDIA/ { print $1; exit }')
    [ -n "$device" ] || { echo "no OpenCL device of NVIDIA's"; return; }
    check "$device" opencl
}

# One line a list, of every kind but c2c. DCT-I begins at 2.
check_kinds() {
    for kind in r2c c2r dct1 dct2 dct3 dct4 dst1 dst2 dst3 dst4 dht; do
        for list in 2..40,64,100,101,127,243 1000,1009,1001,2048,4096,4097 17x19x23,64x64,31x33 \
            8192,10000,10007,16384,19683 65536,65537,100000,1000x1000 1048576; do
            echo "-k $kind $list"
        done
    done | check_each "$gpu" kinds
}

sanitized=2,16,17,60,67,1000,1009,4096,16384,64x64,10007,65536
sanitize() {
    command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not here"; return 1; }
    jobs=""
    for tool in memcheck racecheck; do
        for precision in f32 f64; do
            compute-sanitizer --tool "$tool" --error-exitcode 9 \
                "$weft" check --device "$gpu" -p "$precision" $sanitized \
                >"$results/$tool.$precision.log" 2>&1 &
            jobs="$jobs $!"
        done
    done
    status=0
    for job in $jobs; do wait "$job" || status=1; done
    grep -h -E 'ERROR SUMMARY|RACECHECK SUMMARY|ABOVE|^weft' "$results"/memcheck.f*.log \
        "$results"/racecheck.f*.log
    return $status
}

powers=2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536,131072,262144,524288
powers=$powers,1048576,2097152,4194304,8388608,16777216,33554432,67108864
few="$powers,60,100,243,343,1000,1331,2187,2401,3125,3600,10000,15625,100000,1000000,17,31,37,101"
few="$few,127,257,509,1009,2039,4093,10007,65537,1000003,34,2018,10006,64x64,128x128,256x256"
few="$few,512x512,1024x1024,4096x4096,32x32x32,64x64x64,128x128x128,256x256x256"
few_f64=16,128,1024,4096,8192,16384,65536,1048576,4194304,1000,10000,1009
more="$few,5,6,7,9,10,11,12,13,15,20,24,25,27,30,36,48,49,81,121,125,144,169,200,240,300,360,480"
more="$more,500,600,625,720,729,768,1152,1200,1500,2000,2400,3000,4000,5000,6000,6561,8000,14641"
more="$more,16807,20000,50000,59049,200000,390625,500000,531441,5000000,10000000,19,23,29,41,47,97"
more="$more,131,199,251,331,401,1021,2053,8191,32771,100003,4194319,10000019,119,1394,4036"
more="$more,1000x1000,2048x2048,8192x8192,200x200x200,512x512x512"
more="$more,16@1,64@1,256@1,1024@1,4096@1,16384@1,65536@1,262144@1,1048576@1"

real=16,64,256,1024,4096,8192,16384,32768,65536,262144,1048576,16777216,100,243,1000,1001,3600
real=$real,10000,100000,1009,10007,64x64,512x512,1024x1024,4096x4096,64x64x64,128x128x128
few_real=64,1024,4096,65536,1048576,1000,1009,512x512

# Those rivals that can be opened here, with commas between.
find_rivals() {
    found=none
    for rival in $(echo "${RIVALS:-cufft,vkfft}" | tr ',' ' '); do
        "$weft" bench --device "$gpu" --vs "$rival" -p f32 -m 0 16 >/dev/null || continue
        [ "$found" = none ] && found=$rival || found=$found,$rival
    done
    echo "$found"
}

# The device's tests run without the validation layer if that is not here.
vulkan() {
    device=${VULKAN:-$("$weft" devices | awk '/^vulkan/ && /NVIDIA/ { print $1; exit }')}
    [ -n "$device" ] || { echo "no Vulkan device of NVIDIA's"; return; }
    "$weft" devices | grep "^$device "
    status_of_all=0
    for test in test_vulkan test_vulkan_handles test_vulkan_failures test_vulkan_images; do
        (cd "$tests" && "./$test") || status_of_all=1
    done
    check "$device" vulkan || status_of_all=1
    bench_vulkan "$device" f32 "${SIZES:-$few}" || status_of_all=1
    bench_vulkan "$device" f64 "${SIZES:-$few_f64}" || status_of_all=1
    cuda=$results/bench.jsonl # of a stage bench before this one
    [ -s "$cuda" ] || cuda=
    env -u LD_LIBRARY_PATH python3 bench/table.py "$results/bench_vulkan.jsonl" $cuda
    return $status_of_all
}

bench_vulkan() {
    rival=vkfft
    "$weft" bench --device "$1" --vs vkfft -p f32 -m 0 16 >/dev/null || rival=none
    WEFT_CACHE_DIR=$(mktemp -d) "$weft" bench --device "$1" --vs $rival -p "$2" --json "$3" \
        >>"$results/bench_vulkan.jsonl"
}

# The store starts empty, so that first plans compile.
bench_sizes() {
    WEFT_CACHE_DIR=$(mktemp -d)
    export WEFT_CACHE_DIR
    status=0
    found=$(find_rivals)
    "$weft" bench --device "$gpu" --vs "$found" -p "$2" --json "$1" >>"$results/bench.jsonl" ||
        status=1
    rm -rf "$WEFT_CACHE_DIR"
    return $status
}

bench() {
    status_of_all=0
    bench_sizes "${SIZES:-$few}" f32 || status_of_all=1
    [ -n "${SIZES:-}" ] || bench_sizes "$few_f64" f64 || status_of_all=1
    return $status_of_all
}

table() {
    status_of_all=0
    bench_sizes "$more" f32 || status_of_all=1
    bench_sizes "$powers" f64 || status_of_all=1
    return $status_of_all
}

# C2C stands beside the real kinds, whose times are held against its.
bench_kinds() {
    WEFT_CACHE_DIR=$(mktemp -d)
    export WEFT_CACHE_DIR
    status=0
    found=$(find_rivals)
    "$weft" bench --device "$gpu" --vs "$found" -k c2c,r2c,c2r -p f32 --json "${SIZES:-$real}" \
        >"$results/kinds.jsonl" || status=1
    "$weft" bench --device "$gpu" --vs "$found" -k r2c,c2r -p f64 --json "$few_real" \
        >>"$results/kinds.jsonl" || status=1
    "$weft" bench --device "$gpu" --vs "$found" -k dct2,dct3,dct4,dht -p f32 --json "$few_real" \
        >>"$results/kinds.jsonl" || status=1
    rm -rf "$WEFT_CACHE_DIR"
    env -u LD_LIBRARY_PATH python3 bench/table.py "$results/kinds.jsonl"
    return $status
}

# A line for each case, and the geometric means.
print_table() {
    [ -s "$results/bench.jsonl" ] || return
    env -u LD_LIBRARY_PATH python3 bench/table.py "$results/bench.jsonl" |
        tee "$results/table.txt"
}

run_stage() {
    case $1 in
    info) info ;;
    check)
        stage check_cuda 200 "$self" -check "$gpu" cuda
        tail -n 1 "$results/check_cuda.log"
        stage check_opencl 120 "$self" -check-opencl
        tail -n 1 "$results/check_opencl.log"
        ;;
    test)
        for program in test_cuda test_cuda_device test_opencl; do
            stage "$program" 240 "$tests/$program"
        done
        for program in test_shared_reals test_stream test_stream_lines; do
            stage "$program" 240 env WEFT_TEST_DEVICE="$gpu" "$tests/$program"
        done
        ;;
    sanitize)
        stage sanitize 240 "$self" -sanitize
        cat "$results/sanitize.log"
        ;;
    bench) stage bench 400 "$self" -bench ;;
    table) stage table 550 "$self" -table ;;
    kinds)
        stage check_kinds 200 "$self" -check-kinds
        tail -n 1 "$results/check_kinds.log"
        stage kinds 450 "$self" -kinds
        cat "$results/kinds.log"
        ;;
    large) stage large 200 env WEFT_TEST_LONG=1 WEFT_TEST_DEVICE="$gpu" "$tests/test_large" ;;
    stream)
        stage stream 120 "$tests/stream"
        cat "$results/stream.log"
        ;;
    vulkan)
        rm -f "$results/bench_vulkan.jsonl"
        stage vulkan 550 "$self" -vulkan
        cat "$results/vulkan.log"
        ;;
    spills)
        stage spills 120 "$tests/test_cuda_compile"
        grep '^sm_' "$results/spills.log"
        ;;
    *)
        echo "gpu.sh: there is no stage $1" >&2
        exit 2
        ;;
    esac
}

self=bench/gpu.sh
[ "${1:-}" = pack ] && { pack "${2:-}"; exit; }
mkdir -p "$results"
find_libraries
find_opencl
find_vulkan
find_programs
case ${1:-} in
-check) check "$2" "$3"; exit ;;
-check-opencl) check_opencl; exit ;;
-check-kinds) check_kinds; exit ;;
-kinds) bench_kinds; exit ;;
-sanitize) sanitize; exit ;;
-vulkan) vulkan; exit ;;
-bench) bench; exit ;;
-table) table; exit ;;
esac
rm -f "$results/bench.jsonl"
for name in ${*:-info check test sanitize bench}; do
    run_stage "$name"
done
print_table
[ -z "$failed" ] || { echo "FAILED:$failed"; exit 1; }
echo "all stages passed"
