import { z } from 'zod'
import { queryInteger, queryText, quota } from '../wire.ts'
import { get, post } from './define.ts'

/** Reasons to refuse a call with a key before a channel is tried. */
export const routeBlockers = [
  'key-disabled',
  'key-expired',
  'key-exhausted',
  'key-model',
  'user-banned',
  'balance-empty',
  'no-price',
] as const
/** One of the reasons of a refusal. */
export type RouteBlocker = (typeof routeBlockers)[number]

/** Reasons not to try a channel that lists the model, or only when no other is left (`cooling`). */
export const routeSkips = [
  'disabled',
  'auto-disabled',
  'group',
  'keys',
  'mode',
  'mapping',
  'cooling',
] as const
/** One of the reasons for which a channel is passed by. */
export type RouteSkip = (typeof routeSkips)[number]

const observed = {
  /** Attempts of the last week, with this model. */
  attempts: z.number().int(),
  /** Those that failed by the upstream's fault. */
  failures: z.number().int(),
  /** Mean time to the first event; `null` where nothing succeeded. */
  latency_ms: z.number().nullable(),
  /** Quota units of a mean call with this model at this channel; `null` where a cost or the calls are not known. */
  cost: quota.nullable(),
}

const routeChannel = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.number().int(),
  status: z.number().int(),
  priority: z.number().int(),
  weight: z.number().int(),
  /** Number of the tier in which it is tried, from 1; 0 when it is skipped. */
  step: z.number().int(),
  /** Share of the calls that reach its tier and try it first: 0 to 1. */
  share: z.number(),
  skip: z.enum(routeSkips).nullable(),
  /** Milliseconds until it is tried again. */
  cooling_ms: z.number(),
  /** Name of the model at the upstream. */
  upstream_model: z.string(),
  ...observed,
})
/** A channel as a call would meet it. */
export type RouteChannel = z.output<typeof routeChannel>

const routePreview = z.object({
  model: z.string(),
  /** The group by which the call is routed. */
  group: z.string(),
  blockers: z.array(z.enum(routeBlockers)),
  /** Number of channels that a call tries, at most. */
  most_attempts: z.number().int(),
  /** Channels in the order in which they are tried; skipped ones last. */
  channels: z.array(routeChannel),
})
/** The way of one call. */
export type RoutePreview = z.output<typeof routePreview>

export const maxRouteChanges = 100

const routeChange = z.object({
  id: z.number().int().min(1),
  priority: z.number().int().min(-1_000_000).max(1_000_000),
  weight: z.number().int().min(0).max(1_000_000),
})
/** Priority and weight of a channel as they might be. */
export type RouteChange = z.output<typeof routeChange>

const outcome = {
  /** Calls that no channel would have answered. */
  failed: z.number(),
  /** Attempts that failed and were made good by another. */
  retried: z.number(),
  /** Mean time to the first event of those that were answered; `null` without observations. */
  latency_ms: z.number().nullable(),
  /** Quota units; of the calls whose cost is known. */
  cost: z.number(),
  /** The part of the calls whose cost is known: 0 to 1. */
  costed: z.number(),
}
const routeOutcome = z.object(outcome)
/** Outcome of a simulated call. */
export type RouteOutcome = z.output<typeof routeOutcome>

const whatIf = z.object({
  /** Start of the hours that were looked at, in Unix seconds. */
  from: z.number().int(),
  /** Calls of that time, of models that the group can reach. */
  calls: z.number(),
  before: routeOutcome,
  after: routeOutcome,
  /** Calls that each channel answers; those whose number changes first. */
  channels: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      before: z.number(),
      after: z.number(),
      observed: z.boolean(),
    }),
  ),
})
/** Last week's calls, routed as they are and as they might be. */
export type WhatIf = z.output<typeof whatIf>

/** Routes of calls and of simulated calls, for administrators. Nothing is sent, and no turn of a channel is taken. */
export const routes = {
  preview: get('admin', '/api/route/preview', {
    part: 'channels',
    recentProof: 'reads',
    query: z.object({
      model: queryText,
      /** The key's, where there is a key. */
      group: queryText,
      token_id: queryInteger,
    }),
    data: routePreview,
  }),
  /** Expected values, as if every call of the week came from the group. */
  whatIf: post('admin', '/api/route/what_if', {
    part: 'channels',
    recentProof: 'reads',
    body: z.object({
      group: z.string().max(64).default('default'),
      model: z.string().max(200).optional(),
      changes: z.array(routeChange).max(maxRouteChanges),
    }),
    data: whatIf,
  }),
}
