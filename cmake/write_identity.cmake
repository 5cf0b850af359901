# Writes the source file OUTPUT, which names this build: by what is in FOLDER/src and in the public
# headers, and by WORDS. Run with cmake -P.
file(GLOB_RECURSE files ${FOLDER}/src/*.c ${FOLDER}/src/*.h ${FOLDER}/include/*.h)
list(SORT files)
set(all "${WORDS}\n")
foreach(file ${files})
    file(SHA256 ${file} hash)
    file(RELATIVE_PATH path ${FOLDER} ${file})
    string(APPEND all "${path} ${hash}\n")
endforeach()
string(SHA256 identity "${all}")
file(WRITE ${OUTPUT} "#include \"device/gpu/identity.h\"\n\n"
     "const char gpu_identity[] = \"${identity}\";\n")
