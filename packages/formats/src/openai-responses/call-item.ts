import type { JsonObject } from '../json-value.ts'
import { TextBuffer } from '../text-buffer.ts'
import type { ItemStatus, ItemWriter, OpenItem, OutputWriter } from './output-writer.ts'
import { type ToolName, textInArguments } from './tool-names.ts'

/** A call of a tool. Free text for a custom tool can be told only when the arguments that hold it are whole. */
export class CallItem implements OpenItem {
  isOpen = true
  readonly #tool: ToolName
  readonly #head: JsonObject
  readonly #writer: ItemWriter
  readonly #text = new TextBuffer()

  constructor(output: OutputWriter, id: string, tool: ToolName) {
    const { name, namespace, isCustom } = tool
    this.#tool = tool
    this.#head = {
      type: isCustom ? 'custom_tool_call' : 'function_call',
      call_id: id,
      name,
      ...(namespace !== '' && { namespace }),
    }
    const empty = isCustom ? { input: '' } : { arguments: '' }
    this.#writer = output.start(isCustom ? 'ctc' : 'fc', { ...this.#head, status: 'in_progress', ...empty })
  }

  add(delta: string): void {
    if (!this.isOpen || delta === '') return
    this.#text.append(delta)
    if (!this.#tool.isCustom) this.#writer.emit('function_call_arguments.delta', { delta })
  }

  close(status: ItemStatus): void {
    if (!this.isOpen) return
    // No arguments at all are an empty object.
    if (this.#text.isEmpty && !this.#tool.isCustom) this.add('{}')
    this.isOpen = false
    const text = this.#text.read()
    this.#writer.done({
      ...this.#head,
      status,
      ...(this.#tool.isCustom ? this.#input(text) : this.#complete(text)),
    })
  }

  #complete(text: string): JsonObject {
    this.#writer.emit('function_call_arguments.done', { name: this.#tool.name, arguments: text })
    return { arguments: text }
  }

  #input(text: string): JsonObject {
    const input = textInArguments(text)
    this.#writer.emit('custom_tool_call_input.delta', { delta: input })
    this.#writer.emit('custom_tool_call_input.done', { input })
    return { input }
  }
}
