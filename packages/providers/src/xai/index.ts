import { type JsonEdits, type RequestQuirks, type RequestText, unsupported } from '@tollgate/formats'
import { openAiCompatible } from '../openai-compatible.ts'
import { effortFromName, mergedEdits, noEdits, removed, renamed } from '../quirks.ts'
import { xaiImages } from './images.ts'

const mini = /^grok-3-mini/
/** https://docs.x.ai/docs/guides/reasoning */
const reasoningModel = /^grok-(3-mini|4|[5-9]|code|latest)/
const quickModel = /^grok-([12]|3(?!-mini)|beta|vision)|non-reasoning/
/** They decide themselves how hard to think. */
const withoutEffort = /^grok-(4(-|$)|4\.20|code)/

/**
 * Models that think refuse penalties, which weigh little, and ends, which would not be found. Of a model whose name tells
 * nothing, the service knows what it takes.
 */
const quirks: RequestQuirks = (request, model) => {
  if (quickModel.test(model)) return removed(request, ['reasoning_effort'])
  if (!reasoningModel.test(model)) return effort(request, model)
  if (request.body.stop != null) throw unsupported('stop', 'models of xAI that think take no stop sequences')
  return mergedEdits(
    removed(request, ['presence_penalty', 'frequency_penalty']),
    mini.test(model) ? miniFields(request, model) : effort(request, model),
  )
}

function miniFields(request: RequestText, model: string): JsonEdits {
  const byName = effortFromName(request, model)
  const limits = renamed(request, 'max_tokens', 'max_completion_tokens')
  const wanted = request.body.reasoning_effort
  if (typeof wanted !== 'string') return mergedEdits(limits, byName)
  const nearest = highEfforts.has(wanted) ? 'high' : 'low'
  return mergedEdits(limits, byName, new Map([['reasoning_effort', JSON.stringify(nearest)]]))
}

const highEfforts: ReadonlySet<string> = new Set(['high', 'xhigh', 'max'])

/** Efforts that xAI has no word for, by the nearest that it has. */
const nearestEfforts: ReadonlyMap<unknown, string> = new Map([
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
])

function effort(request: RequestText, model: string): JsonEdits {
  if (withoutEffort.test(model)) return removed(request, ['reasoning_effort'])
  const nearest = nearestEfforts.get(request.body.reasoning_effort)
  return nearest === undefined ? noEdits : new Map([['reasoning_effort', JSON.stringify(nearest)]])
}

/** Its completion tokens leave reasoning out, which the usage reader tells from the total. https://docs.x.ai */
export const xai = openAiCompatible({
  id: 'xai',
  defaultBaseUrl: 'https://api.x.ai',
  modes: ['chat', 'images', 'image-edits'],
  // Both are JSON.
  own: { images: xaiImages, 'image-edits': xaiImages },
  streamOptions: true,
  responses: { path: '/responses' },
  realtime: '/realtime',
  quirks,
})
