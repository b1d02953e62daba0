import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes of a file that stay in memory; what is larger goes to a temporary file, as a whole. */
const keptBytes = 512 * 1024
/** Bytes of a temporary file that are read at a time. */
const readBytes = 128 * 1024

/**
 * An uploaded file on its way: written once, then read as often as there are attempts. It takes no more memory than a
 * small one does.
 */
export class Spool {
  size = 0
  #pieces: Uint8Array[] = []
  #pending = 0
  #file: FileHandle | undefined
  #written = 0
  #readers = 0
  #isDiscarded = false

  /** The bytes must not be written to again. */
  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes)
    this.#pending += bytes.length
    this.size += bytes.length
  }

  /** Bytes of it that are in memory. */
  get bytesInMemory(): number {
    return this.#pending
  }

  /**
   * Makes room for more: to be waited for between the pieces of a body, which bounds what is in memory.
   * @param kept how many bytes may stay
   */
  async flush(kept = keptBytes): Promise<void> {
    if (this.#pending <= kept) return
    this.#file ??= await openTemporary()
    await this.#write(this.#file)
  }

  /** Nothing more comes: from now on it can be read. */
  async finish(): Promise<void> {
    if (this.#file !== undefined) await this.#write(this.#file)
  }

  /** Of a small one, all in memory. */
  text(): string {
    return Buffer.concat(this.#pieces).toString('utf8')
  }

  /** The bytes from `start` to `end`, or to where the file ends. */
  async slice(start: number, end: number): Promise<Uint8Array> {
    const length = Math.max(0, Math.min(end, this.size) - start)
    if (this.#file === undefined) {
      const joined = Buffer.concat(this.#pieces)
      this.#pieces = [joined]
      return joined.subarray(start, start + length)
    }
    const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, start)
    return buffer.subarray(0, bytesRead)
  }

  /** The whole file, piece by piece. A piece holds until the next one is asked for: a large file is read into one buffer. */
  async *read(): AsyncGenerator<Uint8Array> {
    this.#readers += 1
    try {
      if (this.#file === undefined) yield* this.#pieces
      else yield* piecesOf(this.#file, this.size)
    } finally {
      this.#readers -= 1
      if (this.#isDiscarded) await this.#close()
    }
  }

  /** Nobody will begin to read it again. Whoever reads it now reads it to the end. */
  async discard(): Promise<void> {
    this.#isDiscarded = true
    await this.#close()
  }

  async #write(file: FileHandle): Promise<void> {
    const pieces = this.#pieces
    this.#pieces = []
    this.#pending = 0
    for (const bytes of pieces) {
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, at, bytes.length - at, this.#written)
        at += bytesWritten
        this.#written += bytesWritten
      }
    }
  }

  async #close(): Promise<void> {
    if (this.#readers > 0) return
    const file = this.#file
    this.#file = undefined
    this.#pieces = []
    await file?.close()
  }
}

async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(readBytes, size - at), at)
    if (bytesRead === 0) throw new Error('the temporary file of an upload is shorter than it was')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Has no name any more as soon as it is open: whatever ends the process, nothing is left behind. */
async function openTemporary(): Promise<FileHandle> {
  const path = join(tmpdir(), `tollgate-${randomUUID()}.upload`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
