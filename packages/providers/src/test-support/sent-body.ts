import { type JsonObject, openAiChat, type RequestText, scanTopLevel, spliceMembers } from '@tollgate/formats'
import { openAiFormats } from '../openai/openai-compatible.ts'
import { adapt } from '../profile/adapt.ts'
import { providers } from '../registry.ts'

/** A body as the provider's upstream gets it from a caller of OpenAI's format, as that upstream takes it. */
export function sentBody(id: string, body: JsonObject, upstreamModel = 'm'): unknown {
  const provider = providers.find((candidate) => candidate.id === id)
  const mode = 'input' in body ? 'embeddings' : 'chat'
  const target = { baseUrl: '', key: 'k-1', upstreamModel, openaiOrganization: '', other: '' }
  const operation = provider?.operation(mode, target, openAiFormats[mode])
  if (operation === undefined) throw new Error(`${id} serves no ${mode}`)
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 64)
  if (!scan.ok) throw new Error(scan.reason)
  const request = { text, scan, body }
  const native = mode === 'chat' ? nativeEdits(request, upstreamModel, operation.streamOptions) : []
  const model = ['model', JSON.stringify(upstreamModel)] as const
  const quirks = operation.quirks?.(request, upstreamModel, {}) ?? []
  const edits = new Map<string, string | undefined>([...native, model, ...quirks])
  const plan = operation.planFor?.(upstreamModel)
  const fitted = plan === undefined ? edits : adapt(plan, request, edits, false).edits
  return JSON.parse(spliceMembers(text, scan, fitted))
}

function nativeEdits(request: RequestText, model: string, streamOptions: boolean) {
  const facts = openAiChat.inspectRequest(request.body, {})
  return openAiChat.nativeEdits(request, facts, { model, streamOptions })
}
