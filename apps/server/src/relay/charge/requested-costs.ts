import {
  type CostlyField,
  type OtherCosts,
  type Service,
  serviceOf,
  type ToolCalls,
  toolCallsOf,
  toolKindOf,
  withCosts,
} from '@tollgate/formats'
import type { ModelRequest } from '../call.ts'
import type { Candidate } from '../routing/candidates.ts'
import { isCarried } from '../routing/field-policy.ts'
import type { CountedUsage } from './delivery.ts'

/** Shared by calls that ask for nothing beside tokens: nearly all. */
export const noCosts: OtherCosts = {}

/** How often a tool is taken to run, for a reservation: vendors let a model decide. */
const assumedToolCalls = 5

/** Models that search for every call, asked or not. */
const searchModel = /-search-(preview|api)\b/

/** What a call may cost beside its tokens, for its reservation. */
export function possibleCosts({ costlyFields = none }: Pick<ModelRequest, 'costlyFields'>): OtherCosts {
  return costlyFields.length === 0
    ? noCosts
    : { service: requestedService(costlyFields), toolCalls: requestedTools(costlyFields, assumedToolCalls) }
}

/**
 * What the call, as its channel got it, costs beside its tokens where the response does not say. Chat Completions have no
 * place for the tools that ran: one that was asked for counts once.
 */
export function requestedCosts(
  { format, costlyFields = none }: Pick<ModelRequest, 'format' | 'costlyFields'>,
  { operation, stripped, upstreamModel }: Pick<Candidate, 'operation' | 'stripped' | 'upstreamModel'>,
): OtherCosts {
  const isChat = operation.format === 'openai-chat'
  const searches = isChat && searchModel.test(upstreamModel)
  if (costlyFields.length === 0) return searches ? oneSearch : noCosts
  const sent = costlyFields.filter(
    (field) => !stripped.includes(field) && isCarried(field, format, operation.format),
  )
  const tools = isChat ? requestedTools(sent, 1) : undefined
  return { service: requestedService(sent), toolCalls: tools ?? (searches ? oneSearch.toolCalls : undefined) }
}

/** The counts with what the call asked for, where the response does not say what came of it. */
export function withRequestedCosts(counted: CountedUsage, { service, toolCalls }: OtherCosts): CountedUsage {
  if (service === undefined && toolCalls === undefined) return counted
  const { usage } = counted
  const costs = {
    service: service === undefined ? usage.service : { ...service, ...usage.service },
    toolCalls: usage.toolCalls ?? toolCalls,
  }
  return { ...counted, usage: withCosts(usage, costs) }
}

const none: readonly CostlyField[] = []
const oneSearch: OtherCosts = { toolCalls: { web_search: 1 } }

function requestedService(fields: readonly CostlyField[]): Service | undefined {
  const named = (target: CostlyField['feature']) => fields.find(({ feature }) => feature === target)?.value
  return serviceOf({
    tier: named('service-tier'),
    speed: named('speed'),
    geo: named('inference-geo'),
  })
}

function requestedTools(fields: readonly CostlyField[], calls: number): ToolCalls | undefined {
  const kinds = fields.flatMap(({ feature, value }) =>
    feature === 'hosted-tool' ? (toolKindOf(value) ?? []) : [],
  )
  return toolCallsOf(Object.fromEntries(kinds.map((kind) => [kind, calls])))
}
