import { type JsonEdits, type RequestQuirks, type RequestText, unsupported } from '@tollgate/formats'
import { isModel } from '../models/model-facts.ts'
import { effortFromName, mergeEdits, noEdits, removeFields, renameField } from './json-edits.ts'

/**
 * Reasoning models refuse penalties, whose loss changes little, and stop sequences, whose loss changes the response. For a
 * model that the name does not identify, xAI itself decides.
 */
export const xaiReasoning: RequestQuirks = (request, model) => {
  if (isModel('xai-never-reasons', model)) return removeFields(request, ['reasoning_effort'])
  if (!isModel('xai-reasons', model)) return effort(request, model)
  if (request.body.stop != null) throw unsupported('stop', 'models of xAI that think take no stop sequences')
  return mergeEdits(
    removeFields(request, ['presence_penalty', 'frequency_penalty']),
    isModel('xai-mini', model) ? miniFields(request, model) : effort(request, model),
  )
}

function miniFields(request: RequestText, model: string): JsonEdits {
  const byName = effortFromName(request, model)
  const limits = renameField(request, 'max_tokens', 'max_completion_tokens')
  const wanted = request.body.reasoning_effort
  if (typeof wanted !== 'string') return mergeEdits(limits, byName)
  const nearest = highEfforts.has(wanted) ? 'high' : 'low'
  return mergeEdits(limits, byName, new Map([['reasoning_effort', JSON.stringify(nearest)]]))
}

const highEfforts: ReadonlySet<string> = new Set(['high', 'xhigh', 'max'])

/** Efforts that xAI has no word for, by the nearest that it has. */
const nearestEfforts: ReadonlyMap<unknown, string> = new Map([
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
])

function effort(request: RequestText, model: string): JsonEdits {
  if (isModel('xai-decides-effort', model)) return removeFields(request, ['reasoning_effort'])
  const nearest = nearestEfforts.get(request.body.reasoning_effort)
  return nearest === undefined ? noEdits : new Map([['reasoning_effort', JSON.stringify(nearest)]])
}
