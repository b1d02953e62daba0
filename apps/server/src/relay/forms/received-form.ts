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

/** Texts of a form are prompts and names. */
const maxFieldBytes = 1024 * 1024

/** Collects a form from a scanner: texts in memory, files in spools. */
export class FormCollector implements FormSink, ReceivedForm {
  readonly parts: FormPart[] = []
  #open: { readonly head: PartHead; readonly file: Spool } | undefined

  part(head: PartHead): void {
    this.#close()
    this.#open = { head, file: new Spool() }
  }

  data(bytes: Uint8Array): void {
    const open = this.#open
    if (open === undefined) return
    open.file.add(bytes)
    if (open.head.fileName === undefined && open.file.size > maxFieldBytes)
      throw new FormFault(`the field ${open.head.name} of the form is too long: send it as a file`)
  }

  /** To be waited for between the pieces of a body. */
  async flush(): Promise<void> {
    await Promise.all(this.#files().map((file) => file.flush()))
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
