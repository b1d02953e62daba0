/** Buffers of ES2024, which the runtime has. */
type Transferable = ArrayBufferLike & { transfer?(length: number): unknown }

/** Bytes from here on have memory of their own; fewer may share theirs. */
const ownBytes = 16 * 1024

/**
 * Returns the memory of bytes that nobody reads any more at once: until the next collection, the bodies of many calls would take
 * new memory each, and its pages cost more than a copy. The bytes are empty then.
 */
export function freeBytes({ buffer, byteOffset, length }: Uint8Array): void {
  const memory: Transferable = buffer
  // What stands behind them belongs to somebody else.
  if (length >= ownBytes && byteOffset + length === memory.byteLength) memory.transfer?.(0)
}
