import {
  isJsonMode,
  isObject,
  openAiChat,
  openAiEdits,
  parseExactJson,
  readModeRequest,
  scanTopLevel,
  spliceMembers,
} from '@tollgate/formats'
import type { CallMode } from '@tollgate/providers'
import { type CallText, textAlone } from '../bodies/call-text.ts'
import { checkForm, isAudioMode, isFormMode } from '../forms/form-checks.ts'
import type { ReceivedForm } from '../forms/received-form.ts'
import { notImplemented, RelayError } from '../relay-error.ts'
import { callPath } from './call-path.ts'
import { type ChatDialectOptions, errorsOf, readChat } from './chat-dialect.ts'
import type { CallPath, CallRequest, Dialect, ReceivedCall } from './dialect.ts'
import { ImageSubject } from './image-subject.ts'
import { JsonRequest } from './json-request.ts'
import { MultipartRequest } from './multipart-request.ts'
import { RecordingSubject, recordedTokens } from './recording-subject.ts'

/** OpenAI's Chat Completions and its sister endpoints. */
export function createOpenAiDialect(options: ChatDialectOptions): Dialect {
  return {
    read: (mode, body, received) => ({
      request: readRequest(
        mode,
        ofDeployment(body, received, options),
        callPath('openai', received),
        options,
      ),
    }),
    readForm: (mode, form, received) =>
      readForm(mode, formOfDeployment(form, received), callPath('openai', received), options),
    ...errorsOf(openAiChat),
  }
}

function readRequest(
  mode: CallMode,
  body: CallText,
  path: CallPath,
  options: ChatDialectOptions,
): CallRequest {
  if (mode === 'chat' || mode === 'count-tokens')
    return readChat(path.isEdit === true ? openAiEdits : openAiChat, mode, body, path, options)
  const received = textAlone(body)
  const text = path.model === undefined ? received : withModel(received, path.model)
  if (!isJsonMode(mode)) throw notImplemented()
  const reading = readModeRequest(mode, text, { maxDepth: options.maxJsonDepth })
  if (reading.ok) return new JsonRequest(reading.request, path, options)
  const { message, param, code } = reading.error
  throw new RelayError('invalid_request', message, { param, upstreamCode: code })
}

async function readForm(
  mode: CallMode,
  form: ReceivedForm,
  path: CallPath,
  options: ChatDialectOptions,
): Promise<CallRequest> {
  if (!isFormMode(mode)) throw new TypeError(`${mode} is no form`)
  const checked = checkForm(mode, form)
  const call = { mode, form, checked }
  const subject = isAudioMode(mode)
    ? new RecordingSubject(call, await recordedTokens(checked.file.file))
    : new ImageSubject(call, options.counting)
  return new MultipartRequest(call, subject, path, options.maxFrameBytes)
}

/** The body with the model that the path names, every other byte as it is. The reader refuses a body that is no object. */
function ofDeployment(
  body: CallText,
  { match: { deployment } }: ReceivedCall,
  { maxJsonDepth }: ChatDialectOptions,
): CallText {
  if (deployment === undefined) return body
  const text = textAlone(body)
  const scan = scanTopLevel(text, maxJsonDepth)
  return {
    text: scan.ok ? spliceMembers(text, scan, new Map([['model', JSON.stringify(deployment)]])) : text,
  }
}

function formOfDeployment(form: ReceivedForm, { match: { deployment } }: ReceivedCall): ReceivedForm {
  if (deployment === undefined) return form
  const others = form.parts.filter(({ head }) => head.name !== 'model')
  const model = {
    kind: 'field',
    head: { name: 'model', fileName: undefined, contentType: '' },
    text: deployment,
  } as const
  return { parts: [...others, model], discard: () => form.discard() }
}

/** `/v1/engines/{model}/embeddings`: the path names the model when the body does not. */
function withModel(body: string, model: string): string {
  const parsed = parseExactJson(body)
  return isObject(parsed) && !('model' in parsed) ? JSON.stringify({ model, ...parsed }) : body
}
