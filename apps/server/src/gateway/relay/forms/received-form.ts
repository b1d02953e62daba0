import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FormFault, type FormSink, type PartHead } from './form-scanner.ts'

/** A part of a form: a field with its text, or a file. */
export type FormPart =
  | { readonly kind: 'field'; readonly head: PartHead; readonly text: string }
  | { readonly kind: 'file'; readonly head: PartHead; readonly file: Spool }

/** A completely received form. */
export interface ReceivedForm {
  readonly parts: readonly FormPart[]
  /** Frees the memory and the temporary files. */
  discard(): Promise<void>
}

/** All texts of a form together: they are prompts and names. */
const maxTextBytes = 1024 * 1024
/** All files of a form together that may stay in memory; beyond it they go to temporary files, however small. */
const maxStoredBytes = 2 * 1024 * 1024
/** Vendors take sixteen images and a mask. */
const maxFiles = 32

/** Collects a form from a scanner: texts in memory, files in spools. */
export class FormCollector implements FormSink, ReceivedForm {
  readonly parts: FormPart[] = []
  #open: { readonly head: PartHead; readonly file: Spool } | undefined
  #textBytes = 0

  part(head: PartHead): void {
    this.#close()
    this.#open = { head, file: new Spool() }
    if (this.#files().length > maxFiles)
      throw new FormFault(`the form has more than ${maxFiles} files: send fewer`)
  }

  data(bytes: Uint8Array): void {
    const open = this.#open
    if (open === undefined) return
    open.file.add(bytes)
    if (open.head.fileName !== undefined) return
    this.#textBytes += bytes.length
    if (this.#textBytes > maxTextBytes)
      throw new FormFault(`the fields of the form are too long at ${open.head.name}: send less text`)
  }

  /** Writes buffered data; the caller waits for it between the pieces of a body. */
  async flush(): Promise<void> {
    const files = this.#files()
    const retained = inMemory(files) > maxStoredBytes ? 0 : undefined
    await Promise.all(files.map((file) => file.flush(retained)))
  }

  get bytesInMemory(): number {
    return this.#textBytes + inMemory(this.#files())
  }

  async finish(): Promise<void> {
    this.#close()
    await Promise.all(this.#files().map((file) => file.finish()))
  }

  async discard(): Promise<void> {
    this.#close()
    await Promise.all(this.#files().map((file) => file.discard()))
  }

  #close(): void {
    const open = this.#open
    this.#open = undefined
    if (open === undefined) return
    const { head, file } = open
    this.parts.push(
      head.fileName === undefined ? { kind: 'field', head, text: file.text() } : { kind: 'file', head, file },
    )
  }

  #files(): Spool[] {
    const files = this.parts.flatMap((part) => (part.kind === 'file' ? [part.file] : []))
    return this.#open?.head.fileName === undefined ? files : [...files, this.#open.file]
  }
}

function inMemory(files: readonly Spool[]): number {
  return files.reduce((sum, file) => sum + file.bytesInMemory, 0)
}

/** Bytes of a file that stay in memory; what is larger goes to a temporary file, as a whole. */
const storedBytes = 512 * 1024
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

  /** Adds bytes, which must not be written to again. */
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
   * @param retained how many bytes may stay
   */
  async flush(retained = storedBytes): Promise<void> {
    if (this.#pending <= retained) return
    this.#file ??= await openTemporary()
    await this.#write(this.#file)
  }

  /** Ends the form: from now on it can be read. */
  async finish(): Promise<void> {
    if (this.#file !== undefined) await this.#write(this.#file)
  }

  /** Returns the text of a small one, all in memory. */
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

  /** Frees the file. A reader that has started reads to the end first. */
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
