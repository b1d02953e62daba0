import { ptr } from 'bun:ffi'

/**
 * An instruction of classic BPF: code, jump if true, jump if false, operand.
 * https://www.kernel.org/doc/Documentation/networking/filter.txt
 */
export type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

const headBytes = 16
const instructionBytes = 8

/** The length of `struct sock_fprog`, as `setsockopt` wants it. */
export const filterOptionBytes = headBytes

/**
 * Writes a filter as socket options take it, `struct sock_fprog`: the number of instructions, and after padding where they are: here,
 * right behind it. The bytes must live until the option is set.
 */
export function bytesOfFilter(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(headBytes + instructions.length * instructionBytes)
  bytes.writeUInt16LE(instructions.length)
  bytes.writeBigUInt64LE(BigInt(ptr(bytes, headBytes)), 8)
  for (const [index, [code, ifTrue, ifFalse, operand]] of instructions.entries()) {
    const at = headBytes + index * instructionBytes
    bytes.writeUInt16LE(code, at)
    bytes.writeUInt8(ifTrue, at + 2)
    bytes.writeUInt8(ifFalse, at + 3)
    bytes.writeUInt32LE(operand, at + 4)
  }
  return bytes
}
