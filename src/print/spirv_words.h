/* The words of SPIR-V that kernels are written in: numbers from the SPIR-V Specification 1.0 and
 * the extended instructions for GLSL (GLSL.std.450), and how each instruction reads as text. */
#ifndef WEFT_PRINT_SPIRV_WORDS_H
#define WEFT_PRINT_SPIRV_WORDS_H

#define SPIRV_MAGIC        0x07230203u
#define SPIRV_VERSION_1_0  0x00010000u
#define SPIRV_HEADER_WORDS 5

/* An instruction: its name, its number, and what its operands are, a letter each:
 *   t  the result's type     r  the result           i  an id             I  ids to the end
 *   n  a number              s  a string             k  a constant's bits
 *   c  capability            S  storage class        D  decoration and its operands
 *   x  extended instruction  E  execution model      M  execution mode and its numbers
 *   A  addressing and memory model                   0  a mask, always none
 *   d  an image's dimensions                         f  its format
 *   l  what is to become of a loop */
#define SPIRV_OPS(ROW)                                                                             \
    ROW(Name, 5, "is")                                                                             \
    ROW(ExtInstImport, 11, "rs")                                                                   \
    ROW(ExtInst, 12, "trixI")                                                                      \
    ROW(MemoryModel, 14, "A")                                                                      \
    ROW(EntryPoint, 15, "EisI")                                                                    \
    ROW(ExecutionMode, 16, "iM")                                                                   \
    ROW(Capability, 17, "c")                                                                       \
    ROW(TypeVoid, 19, "r")                                                                         \
    ROW(TypeBool, 20, "r")                                                                         \
    ROW(TypeInt, 21, "rnn")                                                                        \
    ROW(TypeFloat, 22, "rn")                                                                       \
    ROW(TypeVector, 23, "rin")                                                                     \
    ROW(TypeImage, 25, "ridnnnnf")                                                                 \
    ROW(TypeArray, 28, "rii")                                                                      \
    ROW(TypeRuntimeArray, 29, "ri")                                                                \
    ROW(TypeStruct, 30, "rI")                                                                      \
    ROW(TypePointer, 32, "rSi")                                                                    \
    ROW(TypeFunction, 33, "riI")                                                                   \
    ROW(ConstantTrue, 41, "tr")                                                                    \
    ROW(ConstantFalse, 42, "tr")                                                                   \
    ROW(Constant, 43, "trk")                                                                       \
    ROW(Function, 54, "tr0i")                                                                      \
    ROW(FunctionEnd, 56, "")                                                                       \
    ROW(Variable, 59, "trS")                                                                       \
    ROW(Load, 61, "tri")                                                                           \
    ROW(Store, 62, "ii")                                                                           \
    ROW(AccessChain, 65, "triI")                                                                   \
    ROW(Decorate, 71, "iD")                                                                        \
    ROW(MemberDecorate, 72, "inD")                                                                 \
    ROW(VectorShuffle, 79, "triinn")                                                               \
    ROW(CompositeConstruct, 80, "trI")                                                             \
    ROW(CompositeExtract, 81, "trin")                                                              \
    ROW(CompositeInsert, 82, "triin")                                                              \
    ROW(CopyObject, 83, "tri")                                                                     \
    ROW(ImageRead, 98, "trii")                                                                     \
    ROW(ImageWrite, 99, "iii")                                                                     \
    ROW(ConvertFToS, 110, "tri")                                                                   \
    ROW(ConvertSToF, 111, "tri")                                                                   \
    ROW(ConvertUToF, 112, "tri")                                                                   \
    ROW(UConvert, 113, "tri")                                                                      \
    ROW(SConvert, 114, "tri")                                                                      \
    ROW(FConvert, 115, "tri")                                                                      \
    ROW(Bitcast, 124, "tri")                                                                       \
    ROW(FNegate, 127, "tri")                                                                       \
    ROW(IAdd, 128, "trii")                                                                         \
    ROW(FAdd, 129, "trii")                                                                         \
    ROW(ISub, 130, "trii")                                                                         \
    ROW(FSub, 131, "trii")                                                                         \
    ROW(IMul, 132, "trii")                                                                         \
    ROW(FMul, 133, "trii")                                                                         \
    ROW(UDiv, 134, "trii")                                                                         \
    ROW(FDiv, 136, "trii")                                                                         \
    ROW(UMod, 137, "trii")                                                                         \
    ROW(LogicalOr, 166, "trii")                                                                    \
    ROW(LogicalAnd, 167, "trii")                                                                   \
    ROW(LogicalNot, 168, "tri")                                                                    \
    ROW(Select, 169, "triii")                                                                      \
    ROW(IEqual, 170, "trii")                                                                       \
    ROW(SLessThan, 177, "trii")                                                                    \
    ROW(FOrdEqual, 180, "trii")                                                                    \
    ROW(FUnordNotEqual, 183, "trii")                                                               \
    ROW(FOrdLessThan, 184, "trii")                                                                 \
    ROW(ShiftRightLogical, 194, "trii")                                                            \
    ROW(ShiftRightArithmetic, 195, "trii")                                                         \
    ROW(ShiftLeftLogical, 196, "trii")                                                             \
    ROW(BitwiseOr, 197, "trii")                                                                    \
    ROW(BitwiseXor, 198, "trii")                                                                   \
    ROW(BitwiseAnd, 199, "trii")                                                                   \
    ROW(ControlBarrier, 224, "iii")                                                                \
    ROW(AtomicAnd, 240, "triiii")                                                                  \
    ROW(AtomicOr, 241, "triiii")                                                                   \
    ROW(Phi, 245, "trI")                                                                           \
    ROW(LoopMerge, 246, "iil")                                                                     \
    ROW(SelectionMerge, 247, "i0")                                                                 \
    ROW(Label, 248, "r")                                                                           \
    ROW(Branch, 249, "i")                                                                          \
    ROW(BranchConditional, 250, "iii")                                                             \
    ROW(Return, 253, "")

enum spirv_op {
#define SPIRV_ENUMERATE(name, number, operands) SPIRV_##name = number,
    SPIRV_OPS(SPIRV_ENUMERATE)
#undef SPIRV_ENUMERATE
        SPIRV_OP_END = 254
};

#define SPIRV_CAPABILITIES(ROW)                                                                    \
    ROW(Shader, 1)                                                                                 \
    ROW(Float64, 10)                                                                               \
    ROW(Int64, 11)                                                                                 \
    ROW(StorageImageExtendedFormats, 49)

#define SPIRV_STORAGES(ROW)                                                                        \
    ROW(UniformConstant, 0)                                                                        \
    ROW(Input, 1)                                                                                  \
    ROW(Uniform, 2)                                                                                \
    ROW(Workgroup, 4)                                                                              \
    ROW(Private, 6)                                                                                \
    ROW(PushConstant, 9)

#define SPIRV_DECORATIONS(ROW)                                                                     \
    ROW(Block, 2)                                                                                  \
    ROW(BufferBlock, 3)                                                                            \
    ROW(ArrayStride, 6)                                                                            \
    ROW(BuiltIn, 11)                                                                               \
    ROW(Restrict, 19)                                                                              \
    ROW(Aliased, 20)                                                                               \
    ROW(NonWritable, 24)                                                                           \
    ROW(Binding, 33)                                                                               \
    ROW(DescriptorSet, 34)                                                                         \
    ROW(Offset, 35)                                                                                \
    ROW(NoContraction, 42)

#define SPIRV_BUILT_INS(ROW)                                                                       \
    ROW(WorkgroupId, 26)                                                                           \
    ROW(LocalInvocationId, 27)

#define SPIRV_EXTENDED(ROW)                                                                        \
    ROW(RoundEven, 2)                                                                              \
    ROW(FAbs, 4)                                                                                   \
    ROW(Floor, 8)                                                                                  \
    ROW(Sqrt, 31)                                                                                  \
    ROW(Fma, 50)                                                                                   \
    ROW(UnpackHalf2x16, 62)

#define SPIRV_IMAGE_FORMATS(ROW)                                                                   \
    ROW(Rgba32f, 1)                                                                                \
    ROW(Rgba16f, 2)                                                                                \
    ROW(R32f, 3)                                                                                   \
    ROW(Rgba8, 4)                                                                                  \
    ROW(Rgba8Snorm, 5)                                                                             \
    ROW(Rg32f, 6)                                                                                  \
    ROW(Rg16f, 7)                                                                                  \
    ROW(R11fG11fB10f, 8)                                                                           \
    ROW(R16f, 9)                                                                                   \
    ROW(Rgba16, 10)                                                                                \
    ROW(Rgb10A2, 11)                                                                               \
    ROW(Rg16, 12)                                                                                  \
    ROW(Rg8, 13)                                                                                   \
    ROW(R16, 14)                                                                                   \
    ROW(R8, 15)                                                                                    \
    ROW(Rgba16Snorm, 16)                                                                           \
    ROW(Rg16Snorm, 17)                                                                             \
    ROW(Rg8Snorm, 18)                                                                              \
    ROW(R16Snorm, 19)                                                                              \
    ROW(R8Snorm, 20)

#define SPIRV_ENUMERATE(name, number) SPIRV_##name = number,
enum spirv_capability { SPIRV_CAPABILITIES(SPIRV_ENUMERATE) };
enum spirv_storage { SPIRV_STORAGES(SPIRV_ENUMERATE) };
enum spirv_decoration { SPIRV_DECORATIONS(SPIRV_ENUMERATE) };
enum spirv_built_in { SPIRV_BUILT_INS(SPIRV_ENUMERATE) };
enum spirv_extended { SPIRV_EXTENDED(SPIRV_ENUMERATE) };
enum spirv_image_format { SPIRV_IMAGE_FORMATS(SPIRV_ENUMERATE) };
#undef SPIRV_ENUMERATE

/* The only ones of their kinds that are used. */
enum {
    SPIRV_LOGICAL = 0,
    SPIRV_GLSL450 = 1,
    SPIRV_GL_COMPUTE = 5,
    SPIRV_LOCAL_SIZE = 17,
    SPIRV_2D = 1,
    SPIRV_STORAGE_IMAGE = 2,
    SPIRV_DONT_UNROLL = 2,
    SPIRV_SCOPE_DEVICE = 1,
    SPIRV_SCOPE_WORKGROUP = 2,
    /* acquire and release, of storage buffers and of shared memory; and of images */
    SPIRV_SEMANTICS_BARRIER = 0x8 | 0x40 | 0x100,
    SPIRV_SEMANTICS_IMAGE = 0x800
};

#endif
