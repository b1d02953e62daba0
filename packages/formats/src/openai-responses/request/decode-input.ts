import type {
  AssistantPart,
  MediaPart,
  MediaSource,
  Message,
  RefusalPart,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../canonical/request.ts'
import { isObject, type JsonObject, textOf } from '../../json/value.ts'
import { base64Source, documentSource, imageKind, mediaKind, mediaSource } from '../../media.ts'
import { audioMediaType } from '../../openai-chat/request/decode-content.ts'
import { sourcePathOf, withSourcePath } from '../../requests/caller-field-names.ts'
import { compactedText, unreadableSummary } from '../../requests/compacted.ts'
import { textArguments } from '../../requests/custom-tools.ts'
import {
  isAbsent,
  missing,
  object,
  optionalList,
  optionalText,
  provided,
  requiredText,
  unsupported,
  wrongType,
} from '../../requests/fields.ts'
import { attachSignatures, type DetachedSignature } from '../../requests/foreign-signatures.ts'
import {
  compactionTrigger,
  isCompaction,
  madeImages,
  readReasoningItem,
  summaryIn,
} from '../response/item-content.ts'
import { flatName } from '../tool-names.ts'
import { agentMessage, asUserMessage } from './agent-message.ts'

type ContentPart = TextPart | MediaPart | RefusalPart

/** Content of an item: a text, or a list of parts. Texts without a character are left out. */
function decodeContent(content: unknown, param: string): readonly ContentPart[] {
  if (isAbsent(content) || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return optionalList(content, param).flatMap((part, index) =>
    decodePart(object(part, `${param}[${index}]`), `${param}[${index}]`).map((made) =>
      withSourcePath(made, `${param}[${index}]`),
    ),
  )
}

/** Works as `decodeContent`, where a refusal has no place: what a user says, and what a tool gave. */
function decodeInput(content: unknown, param: string): readonly (TextPart | MediaPart)[] {
  return decodeContent(content, param).map((part, index) => {
    if (part.type === 'refusal') throw unsupported(`${param}[${index}].type`, 'only the model refuses')
    return part
  })
}

/** Works as `decodeContent`, for instructions. */
function decodeTexts(content: unknown, param: string): readonly TextPart[] {
  return decodeContent(content, param).map((part, index) => {
    if (part.type !== 'text') throw unsupported(`${param}[${index}]`, 'instructions can hold texts only')
    return part
  })
}

function decodePart(part: JsonObject, param: string): readonly ContentPart[] {
  const type = requiredText(part.type, `${param}.type`)
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text': {
      const text = optionalText(part.text, `${param}.text`) ?? ''
      return text === '' ? [] : [{ type: 'text', text }]
    }
    case 'refusal':
      return [{ type: 'refusal', text: requiredText(part.refusal, `${param}.refusal`) }]
    case 'input_image':
      return [decodeImage(part, param)]
    case 'input_file':
      return [decodeFile(part, param)]
    case 'input_audio':
      return [decodeAudio(object(part.input_audio, `${param}.input_audio`), `${param}.input_audio`)]
    default:
      throw unsupported(`${param}.type`, `this kind of content part is not known: ${type}`)
  }
}

function decodeImage(part: JsonObject, param: string): MediaPart {
  const detail = optionalText(part.detail, `${param}.detail`)
  const id = optionalText(part.file_id, `${param}.file_id`)
  const source = id ? fileSource(id) : mediaSource(requiredText(part.image_url, `${param}.image_url`))
  return { type: 'media', kind: imageKind(source), source, ...provided('detail', detail) }
}

function decodeFile(part: JsonObject, param: string): MediaPart {
  const named = provided('filename', optionalText(part.filename, `${param}.filename`))
  const id = optionalText(part.file_id, `${param}.file_id`)
  if (id) return { type: 'media', kind: 'document', source: fileSource(id), ...named }
  const url = optionalText(part.file_url, `${param}.file_url`)
  if (url) return { type: 'media', kind: 'document', source: mediaSource(url), ...named }
  const data = optionalText(part.file_data, `${param}.file_data`)
  if (!data) throw missing(`${param}.file_data`)
  // Bare base64 is a PDF: what files mostly are.
  const source: MediaSource = data.startsWith('data:')
    ? documentSource(data)
    : base64Source({ mediaType: 'application/pdf', data })
  const kind = source.type === 'base64' ? mediaKind(source.mediaType) : 'document'
  return { type: 'media', kind, source, ...named }
}

function decodeAudio(audio: JsonObject, param: string): MediaPart {
  const data = requiredText(audio.data, `${param}.data`)
  const mediaType = audioMediaType(requiredText(audio.format, `${param}.format`))
  return { type: 'media', kind: 'audio', source: { type: 'base64', mediaType, data } }
}

function fileSource(id: string): MediaSource {
  return { type: 'file', format: 'openai-responses', id }
}

/** The conversation of a request, and what of it has no canonical form. */
interface InputReading {
  readonly messages: readonly Message[]
  /** Items of tools that run at the vendor, by their place: the texts repeat their results. */
  readonly left: Readonly<Record<string, unknown>>
}

/** Items that follow each other from one side are one message. */
export function decodeConversation(body: JsonObject): InputReading {
  const builder = new ConversationBuilder()
  const instructions = optionalText(body.instructions, 'instructions') ?? ''
  if (instructions !== '') builder.system([{ type: 'text', text: instructions }], 'instructions')
  if (typeof body.input === 'string') builder.user([{ type: 'text', text: body.input }], 'input')
  else
    optionalList(body.input, 'input').forEach((item, index) => {
      const param = `input[${index}]`
      decodeItem(builder, object(item, param), param)
    })
  const reading = builder.read()
  if (reading.messages.length === 0) throw missing('input')
  return reading
}

class ConversationBuilder {
  readonly #messages: Message[] = []
  readonly #left = new Map<string, unknown>()
  #assistant: (AssistantPart | DetachedSignature)[] = []
  #results: ToolResultPart[] = []

  system(parts: readonly TextPart[], param: string): void {
    this.#close()
    if (parts.length > 0) this.#messages.push(withSourcePath({ role: 'system', parts }, param))
  }

  user(parts: readonly UserPart[], param: string): void {
    this.#close()
    this.#messages.push(withSourcePath({ role: 'user', parts }, param))
  }

  assistant(...parts: readonly (AssistantPart | DetachedSignature)[]): void {
    if (this.#results.length > 0) this.#close()
    this.#assistant.push(...parts)
  }

  result(result: ToolResultPart): void {
    if (this.#assistant.length > 0) this.#close()
    this.#results.push(result)
  }

  leave(name: string, item: unknown): void {
    this.#left.set(name, item)
  }

  read(): InputReading {
    this.#close()
    return { messages: this.#messages, left: Object.fromEntries(this.#left) }
  }

  #close(): void {
    const parts = attachSignatures(this.#assistant)
    if (parts.length > 0)
      this.#messages.push(withSourcePath({ role: 'assistant', parts }, sourcePathOf(parts[0])))
    const results = this.#results
    if (results.length > 0)
      this.#messages.push(withSourcePath({ role: 'user', parts: results }, sourcePathOf(results[0])))
    this.#assistant = []
    this.#results = []
  }
}

function decodeItem(builder: ConversationBuilder, item: JsonObject, param: string): void {
  const type = optionalText(item.type, `${param}.type`) ?? 'message'
  switch (type) {
    case 'message':
      decodeMessage(builder, item, param)
      return
    case agentMessage: {
      const message = asUserMessage(item)
      if (message === undefined) throw unsupported(param, 'only the provider that encrypted it can read it')
      decodeMessage(builder, message, param)
      return
    }
    case 'function_call':
    case 'custom_tool_call':
      builder.assistant(withSourcePath(decodeCall(item, type, param), param))
      return
    case 'function_call_output':
    case 'custom_tool_call_output':
      builder.result(withSourcePath(decodeResult(item, param), param))
      return
    case 'reasoning':
      builder.assistant(...readReasoningItem(item))
      return
    case 'image_generation_call':
      addImages(builder, item, param)
      return
    // Tools that a client found by a search of its own: read with the tools of the request.
    case 'additional_tools':
    // A signal, and no part of the conversation: see `asksForCompaction`.
    case compactionTrigger:
      return
    default:
      decodeOther(builder, item, type, param)
  }
}

/** Reads the image that a response showed, which its caller sends back; one without bytes says nothing to another vendor. */
function addImages(builder: ConversationBuilder, item: JsonObject, param: string): void {
  const images = madeImages(item)
  if (images.length === 0) builder.leave(`${param} (image_generation_call)`, item)
  else builder.assistant(...images.map((image) => withSourcePath(image, param)))
}

/** @throws RequestFault for what a vendor encrypted, whatever it is called: it is a part of the conversation */
function decodeOther(builder: ConversationBuilder, item: JsonObject, type: string, param: string): void {
  const summary = summaryIn(item)
  if (summary !== undefined) builder.user([{ type: 'text', text: compactedText(summary) }], param)
  else if (textOf(item.encrypted_content) !== '' || isCompaction(type)) throw unreadableSummary(param, type)
  else builder.leave(`${param} (${type})`, item)
}

function decodeResult(item: JsonObject, param: string): ToolResultPart {
  return {
    type: 'tool-result',
    callId: requiredText(item.call_id, `${param}.call_id`),
    content: decodeInput(item.output, `${param}.output`),
  }
}

function decodeMessage(builder: ConversationBuilder, item: JsonObject, param: string): void {
  const role = requiredText(item.role, `${param}.role`)
  const content = `${param}.content`
  if (!(typeof item.content === 'string' || Array.isArray(item.content)))
    throw wrongType(content, 'a text or a list of content parts')
  switch (role) {
    case 'system':
    case 'developer':
      builder.system(decodeTexts(item.content, content), param)
      return
    case 'assistant':
      builder.assistant(...decodeContent(item.content, content))
      return
    case 'user':
      builder.user(decodeInput(item.content, content), param)
      return
    default:
      throw unsupported(`${param}.role`, 'it must be user, assistant, system or developer')
  }
}

function decodeCall(
  item: JsonObject,
  type: 'function_call' | 'custom_tool_call',
  param: string,
): AssistantPart {
  const name = flatName(textOf(item.namespace), requiredText(item.name, `${param}.name`))
  const id = requiredText(item.call_id, `${param}.call_id`)
  if (type === 'custom_tool_call') {
    const input = optionalText(item.input, `${param}.input`) ?? ''
    return { type: 'tool-call', id, name, arguments: textArguments(input) }
  }
  const provided = isObject(item.arguments) ? JSON.stringify(item.arguments) : item.arguments
  const text = optionalText(provided, `${param}.arguments`) ?? ''
  return { type: 'tool-call', id, name, arguments: text.trim() === '' ? '{}' : text }
}
