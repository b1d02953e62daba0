import { type MediaAddress, RequestFault } from '@tollgate/formats'
import type { FileUploads, HeaderMap, ModelOptions } from '@tollgate/providers'
import { encodeBody, type UpstreamBody } from '../../upstream/call-body.ts'
import { unanswered } from '../../upstream/exchange.ts'
import type { RelayCall } from '../call.ts'
import type { InFlightEntry } from '../in-flight.ts'
import { type FileIds, uploadFiles } from '../media/uploads.ts'
import type { Candidate } from '../routing/candidates.ts'
import { warnedFields } from '../routing/field-policy.ts'
import type { AttemptDependencies, FailedAttempt } from './attempt-result.ts'

/** What the body of an attempt is made of. */
interface Asked {
  readonly call: Pick<RelayCall, 'request' | 'requestId'>
  readonly candidate: Candidate
  readonly options: ModelOptions
  readonly headers: HeaderMap
}

type Dependencies = Pick<AttemptDependencies, 'media' | 'upstreams'>
type Entry = Pick<InFlightEntry, 'opened'>

/**
 * The body for the upstream. A promise where files are fetched for it, or are uploaded before. Never throws: what the
 * upstream's format cannot say is a failure of which nothing was sent.
 */
export function prepareBody(
  asked: Asked,
  deps: Dependencies,
  entry: Entry,
): UpstreamBody | FailedAttempt | Promise<UpstreamBody | FailedAttempt> {
  const { request } = asked.call
  const { operation } = asked.candidate
  const addresses = deps.media.needed(request, operation)
  if (addresses.length === 0 && operation.uploads === undefined) return bodyOf(request, asked)
  return withFiles(asked, addresses, deps, entry)
}

async function withFiles(
  asked: Asked,
  addresses: readonly MediaAddress[],
  deps: Dependencies,
  entry: Entry,
): Promise<UpstreamBody | FailedAttempt> {
  const { uploads } = asked.candidate.operation
  try {
    const { request } = asked.call
    const complete = addresses.length === 0 ? request : await deps.media.withFiles(request, addresses, entry)
    return uploads === undefined
      ? bodyOf(complete, asked)
      : await withUploads(complete, uploads, asked, deps, entry)
  } catch (error) {
    return faultOf(error)
  }
}

async function withUploads(
  request: RelayCall['request'],
  uploads: FileUploads,
  asked: Asked,
  { upstreams }: Dependencies,
  entry: Entry,
): Promise<UpstreamBody | FailedAttempt> {
  const ids = await uploadFiles(request, uploads, asked.candidate, { upstreams, entry })
  return 'ok' in ids ? ids : bodyOf(request, asked, ids)
}

function bodyOf(
  request: RelayCall['request'],
  { call, candidate, options, headers }: Asked,
  fileIds?: FileIds,
): UpstreamBody | FailedAttempt {
  const { operation, upstreamModel, model: callerModel, channel, passThrough, stripped } = candidate
  const { paramOverride: override, setting } = channel
  const { instructions } = setting
  const ids = { callId: call.requestId, fileIds }
  const target = { operation, upstreamModel, callerModel, override, instructions, ...ids }
  try {
    const body = encodeBody(request, { ...target, options, headers, passThrough })
    if (stripped.length === 0) return body
    return { ...body, dropped: [...warnedFields(stripped), ...body.dropped] }
  } catch (error) {
    return faultOf(error)
  }
}

/** Anything else is a mistake of ours. */
function faultOf(error: unknown): FailedAttempt {
  if (!(error instanceof RequestFault)) throw error
  return { ok: false, error: unanswered('bad_request', error.message), endedBy: undefined, fault: error }
}
