import {
  checkImageRequest,
  imageChecks,
  type JsonObject,
  type RequestError,
  runChecks,
} from '@tollgate/formats'
import type { CallMode, RelayMode } from '@tollgate/providers'
import { RelayError } from '../relay-error.ts'
import type { FormPart, ReceivedForm } from './received-form.ts'

/** Modes whose requests are forms. */
export type FormMode = Extract<
  RelayMode,
  'image-edits' | 'image-variations' | 'transcriptions' | 'translations'
>

const formModes: readonly FormMode[] = ['image-edits', 'image-variations', 'transcriptions', 'translations']

export function isFormMode(mode: CallMode): mode is FormMode {
  return formModes.some((each) => each === mode)
}

export function isAudioMode(mode: FormMode): boolean {
  return mode === 'transcriptions' || mode === 'translations'
}

/** The fields of a form that has passed the checks of its mode, and the file that it is about. */
export interface CheckedForm {
  /** Numbers and flags as such; fields that are there several times are not looked at. */
  readonly fields: JsonObject
  readonly model: string
  readonly file: Extract<FormPart, { kind: 'file' }>
}

const transcriptFormats = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']

/** @throws RelayError that names the field */
export function checkForm(mode: FormMode, { parts }: ReceivedForm): CheckedForm {
  const fields = fieldsOf(parts)
  const name = isAudioMode(mode) ? 'file' : 'image'
  const file = parts.find(
    (part) => part.kind === 'file' && (part.head.name === name || part.head.name === `${name}[]`),
  )
  const model = fields.model === undefined ? defaultModel(mode) : String(fields.model)
  const problem = checkDecisive(parts) ?? checkModelName(fields) ?? checkFields(mode, { ...fields, model })
  if (problem !== undefined) throw refusal(problem)
  if (file?.kind !== 'file' || file.file.size === 0) throw refusal(missingFile(name, file !== undefined))
  return { fields, model, file }
}

function defaultModel(mode: FormMode): string {
  return isAudioMode(mode) ? 'whisper-1' : 'dall-e'
}

/** Fields that decide how a call is priced and sent. */
const decisive: readonly string[] = ['model', 'n', 'size', 'quality', 'response_format', 'stream']

/** Refuses a field that occurs twice: the gateway would charge one value and the upstream might serve the other. */
function checkDecisive(parts: readonly FormPart[]): RequestError | undefined {
  for (const name of decisive) {
    const found = parts.filter(({ head }) => head.name === name)
    if (found.length > 1) return invalid(name, `the field ${name} is there more than once: send it once`)
    if (found[0]?.kind === 'file') return invalid(name, `${name} is invalid: it must be a text, and no file`)
  }
  return undefined
}

function checkModelName({ model }: JsonObject): RequestError | undefined {
  if (model === undefined) return undefined
  const text = String(model).trim()
  if (text === '') return invalid('model', 'model is required: the name of the model is empty')
  return text.length > 255 ? invalid('model', 'model must have at most 255 characters') : undefined
}

function checkFields(mode: FormMode, fields: JsonObject): RequestError | undefined {
  if (mode === 'image-edits') return checkImageRequest(fields, 'dall-e') ?? runChecks(fields, imageChecks)
  if (mode === 'image-variations') return runChecks(fields, imageChecks)
  const format = fields.response_format
  if (format !== undefined && !transcriptFormats.includes(String(format)))
    return invalid(
      'response_format',
      `response_format is invalid: it must be one of ${transcriptFormats.join(', ')}`,
    )
  const { temperature, stream } = fields
  if (temperature !== undefined && !(typeof temperature === 'number' && temperature >= 0 && temperature <= 1))
    return invalid('temperature', 'temperature is invalid: it must be between 0 and 1')
  return stream === undefined || typeof stream === 'boolean'
    ? undefined
    : invalid('stream', 'stream is invalid: it must be true or false')
}

/** Forms hold texts alone: those that stand for something else are read as it. */
function fieldsOf(parts: readonly FormPart[]): JsonObject {
  const fields: Record<string, unknown> = {}
  for (const part of parts)
    if (part.kind === 'field') fields[part.head.name] = fieldValue(part.head.name, part.text)
  return fields
}

const numbers: readonly string[] = ['n', 'temperature', 'output_compression', 'partial_images']
const flags: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  True: true,
  False: false,
  '1': true,
  '0': false,
}

function fieldValue(name: string, text: string): unknown {
  if (numbers.includes(name)) return text.trim() === '' ? undefined : Number(text)
  if (name !== 'stream') return text
  return Object.hasOwn(flags, text) ? flags[text] : text
}

function missingFile(name: string, isEmpty: boolean): RequestError {
  const what = isEmpty ? 'the file is empty' : 'send the file as a part of the form, with a file name'
  return { message: `field ${name} is required: ${what}`, param: name, code: 'missing_required_parameter' }
}

function invalid(param: string, message: string): RequestError {
  return { message, param, code: 'invalid_value' }
}

function refusal({ message, param, code }: RequestError): RelayError {
  return new RelayError('invalid_request', message, { param, upstreamCode: code })
}
