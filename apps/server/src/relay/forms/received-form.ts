import { FormFault, type FormSink, type PartHead } from './form-scanner.ts'
import { Spool } from './spool.ts'

/** A part of a form: a field with its text, or a file. */
export type FormPart =
  | { readonly kind: 'field'; readonly head: PartHead; readonly text: string }
  | { readonly kind: 'file'; readonly head: PartHead; readonly file: Spool }

/** A form that has come whole. */
export interface ReceivedForm {
  readonly parts: readonly FormPart[]
  /** Frees what its files take. */
  discard(): Promise<void>
}

/** All texts of a form together: they are prompts and names. */
const maxTextBytes = 1024 * 1024
/** All files of a form together that may stay in memory; beyond it they go to temporary files, however small. */
const maxKeptBytes = 2 * 1024 * 1024
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

  /** To be waited for between the pieces of a body. */
  async flush(): Promise<void> {
    const files = this.#files()
    const kept = inMemory(files) > maxKeptBytes ? 0 : undefined
    await Promise.all(files.map((file) => file.flush(kept)))
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
