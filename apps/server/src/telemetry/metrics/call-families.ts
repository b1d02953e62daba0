import { countedOutcomes } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import { type CallMeter, type ChannelModelCell, callBounds, tokenTypes } from './call-meter.ts'
import { counter, type Family, type HistogramPoint, type Labels, type Sample } from './family.ts'
import type { Histogram } from './histogram.ts'

/** Returns the families of calls since the process started. */
export function callFamilies(meter: CallMeter): readonly Family[] {
  return [...modelFamilies(meter), ...insertFamilies(meter), ...refusalFamilies(meter)]
}

function modelFamilies({ models }: CallMeter): readonly Family[] {
  const cells = [...models]
  return [
    counter(
      'tollgate_calls_total',
      'Calls that ended, by model and by whose fault they failed (ok for none).',
      cells.flatMap(([model, { calls }]) =>
        countedOutcomes.flatMap((outcome, index) => some({ model, outcome }, calls[index] ?? 0)),
      ),
    ),
    {
      name: 'tollgate_call_duration_seconds',
      help: 'Time from the arrival of a call to its charge.',
      type: 'histogram',
      bounds: callBounds.duration.map(toSeconds),
      points: cells.map(([model, { duration }]) => pointOf({ model }, [duration])),
    },
    {
      name: 'tollgate_first_token_seconds',
      help: 'Time from the arrival of a streamed call to its first token.',
      type: 'histogram',
      bounds: callBounds.start.map(toSeconds),
      points: cells.flatMap(([model, { firstToken }]) =>
        firstToken.isEmpty ? [] : [pointOf({ model }, [firstToken])],
      ),
    },
  ]
}

function insertFamilies({ channelModels }: CallMeter): readonly Family[] {
  const cells = [...channelModels].flatMap(([channel, models]) =>
    [...models].map(([model, cell]) => ({ channel, model, cell })),
  )
  const each = (samplesOf: (labels: Labels, cell: ChannelModelCell) => readonly Sample[]) =>
    cells.flatMap(({ channel, model, cell }) => samplesOf({ channel, model }, cell))
  return [
    counter(
      'tollgate_attempts_total',
      'Attempts at channels by how they ended: ok, or the kind of the error.',
      each((labels, { attempts }) =>
        [...attempts].flatMap(([kind, count]) => some({ ...labels, kind }, count)),
      ),
    ),
    counter(
      'tollgate_failovers_total',
      'Attempts at a channel that failed and were followed by another.',
      each((labels, { failovers }) => some(labels, failovers)),
    ),
    counter(
      'tollgate_tokens_total',
      'Charged tokens by type. Input excludes what was read from and written to caches; reasoning is part of output.',
      each((labels, { tokens }) =>
        tokenTypes.flatMap((type, index) => some({ ...labels, type }, tokens[index] ?? 0)),
      ),
    ),
    counter(
      'tollgate_charged_quota_total',
      'Charged cost in quota units; tollgate_quota_per_unit of them are one unit of currency.',
      each((labels, { quota }) => some(labels, quota)),
    ),
    startFamily(cells),
  ]
}

/** Returns the family of starts, by channel alone: together with models it would be the largest part of a scrape. */
function startFamily(
  cells: readonly { readonly channel: string; readonly cell: ChannelModelCell }[],
): Family {
  const byChannel = new Map<string, Histogram[]>()
  for (const { channel, cell } of cells) getOrInsert(byChannel, channel, () => []).push(cell.start)
  return {
    name: 'tollgate_attempt_start_seconds',
    help: 'Time from a request to an upstream to its first event, or to the failure.',
    type: 'histogram',
    bounds: callBounds.start.map(toSeconds),
    points: [...byChannel].map(([channel, starts]) => pointOf({ channel }, starts)),
  }
}

function refusalFamilies({ errors, limits }: CallMeter): readonly Family[] {
  return [
    counter('tollgate_errors_total', 'Errors that callers received, and calls that broke off, by code.', [
      ...[...errors].flatMap(([code, count]) => some({ code }, count)),
    ]),
    counter('tollgate_limit_hits_total', 'Calls, or attempts at channels, that a rate limit refused.', [
      ...[...limits].flatMap(([limit, count]) => some({ limit }, count)),
    ]),
  ]
}

/** Nothing for what has never happened. */
function some(labels: Labels, value: number): readonly Sample[] {
  return value === 0 ? [] : [{ labels, value }]
}

function pointOf(labels: Labels, histograms: readonly Histogram[]): HistogramPoint {
  const counts = histograms.map((histogram) => histogram.counts)
  return {
    labels,
    counts: (counts[0] ?? []).map((_, index) => counts.reduce((sum, of) => sum + (of[index] ?? 0), 0)),
    sum: toSeconds(histograms.reduce((sum, histogram) => sum + histogram.sum, 0)),
  }
}

function toSeconds(ms: number): number {
  return ms / 1000
}
