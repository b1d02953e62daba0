/**
 * WebAssembly is pure computation, as UTF-8 is, and lives in the host's library as well. Declared here, and nowhere else, so that the
 * package still compiles without any host's types.
 */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}

/** A part of the bytes in memory of its own, and the search through it. */
export interface VectorWindow {
  /** Bytes that are searched at once, with room for a vector behind them. */
  readonly memory: Uint8Array
  /** Offset of the first quote, backslash or control character of the memory from `at` on; `end` or more where none is before it. */
  find(at: number, end: number): number
}

/**
 * The search by vectors of sixteen bytes, made once; `undefined` where the host has none of them.
 *
 * Its module is assembled here, of one function: there is no binary to trust and no compiler to run. The instructions have the names of
 * the specification (https://webassembly.github.io/spec/core/appendix/index-instructions.html).
 */
export function vectorWindow(): VectorWindow | undefined {
  try {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(moduleBytes())))
    const { memory, find } = instance.exports as {
      readonly memory: { readonly buffer: ArrayBuffer }
      readonly find: VectorWindow['find']
    }
    return { memory: new Uint8Array(memory.buffer), find }
  } catch {
    // A processor without vectors, or a host that compiles nothing.
    return undefined
  }
}

type Code = readonly number[]

const i32 = 0x7f
const v128 = 0x7b
/** The empty type of a block. */
const empty = 0x40
const functionType = 0x60
/** Pages of 64 KiB: the window, and what is read behind its end. */
const pages = 2

/** An unsigned number in LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

const sized = (content: Code): Code => [...unsigned(content.length), ...content]
const name = (text: string): Code => sized([...text].map((letter) => letter.charCodeAt(0)))
const vector = (operation: number): Code => [0xfd, ...unsigned(operation)]

const get = (local: number): Code => [0x20, local]
const set = (local: number): Code => [0x21, local]
/** @param value below 64, so that it is its own encoding */
const i32Const = (value: number): Code => [0x41, value]
const v128Load = (offset: number): Code => [...vector(0x00), 0, offset]
const [i32Add, i32GtU, i32GeU, i32Ctz] = [0x6a, 0x4b, 0x4f, 0x68]
const [i8x16Splat, i8x16Eq, i8x16LtU, i8x16Bitmask] = [vector(0x0f), vector(0x23), vector(0x26), vector(0x64)]
const [v128Or, v128AnyTrue] = [vector(0x50), vector(0x53)]
const [block, loop, when, end] = [0x02, 0x03, 0x04, 0x0b]
const [branch, branchIf, leave] = [0x0c, 0x0d, 0x0f]

/** Locals of the function: its parameters, vectors of sixteen equal bytes, the vectors that are looked at, and a mask. */
const [at, to, quotes, backslashes, spaces, first, second, third, mask] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const vectors = third - to
const stride = 16

const constants: Code = [
  ...[...i32Const(0x22), ...i8x16Splat, ...set(quotes)],
  // 92 in two bytes: in one of them its highest bit would be a sign.
  ...[0x41, 0xdc, 0x00, ...i8x16Splat, ...set(backslashes)],
  ...[...i32Const(0x20), ...i8x16Splat, ...set(spaces)],
]

/** The quotes, backslashes and control characters of a vector. */
const specialsOf = (bytes: number): Code => [
  ...[...get(bytes), ...get(quotes), ...i8x16Eq],
  ...[...get(bytes), ...get(backslashes), ...i8x16Eq, ...v128Or],
  ...[...get(bytes), ...get(spaces), ...i8x16LtU, ...v128Or],
]

/** Repeats the code until it branches out of it. */
const repeated = (code: Code): Code => [block, empty, loop, empty, ...code, branch, 0, end, end]
const leaveLoopIf: Code = [branchIf, 1]
const advance = (bytes: number): Code => [...get(at), ...i32Const(bytes), i32Add, ...set(at)]
const read = (into: number, offset: number): Code => [...get(at), ...v128Load(offset), ...set(into)]

/** Passes three vectors at a time while none of them holds a special byte. */
const passPlain = repeated([
  ...[...get(at), ...i32Const(3 * stride), i32Add, ...get(to), i32GtU, ...leaveLoopIf],
  ...[...read(first, 0), ...read(second, stride), ...read(third, 2 * stride)],
  ...[...specialsOf(first), ...specialsOf(second), ...v128Or, ...specialsOf(third), ...v128Or],
  ...[...v128AnyTrue, ...leaveLoopIf, ...advance(3 * stride)],
])

/** Returns the first special byte of the vectors that are left. */
const findSpecial = repeated([
  ...[...get(at), ...get(to), i32GeU, ...leaveLoopIf],
  ...[...read(first, 0), ...specialsOf(first), ...i8x16Bitmask, ...set(mask), ...get(mask)],
  ...[when, empty, ...get(at), ...get(mask), i32Ctz, i32Add, leave, end, ...advance(stride)],
])

function moduleBytes(): Code {
  const locals: Code = [2, vectors, v128, 1, i32]
  const find = sized([...locals, ...constants, ...passPlain, ...findSpecial, ...get(at), end])
  const section = (id: number, content: Code): Code => [id, ...sized(content)]
  return [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, functionType, 2, i32, i32, 1, i32]),
    ...section(3, [1, 0]),
    ...section(5, [1, 1, pages, pages]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('find'), 0, 0]),
    ...section(10, [1, ...find]),
  ]
}
