import { type MediaAddress, RequestFault } from '@tollgate/formats'
import type { FileUploads, HeaderMap, ModelOptions } from '@tollgate/providers'
import { encodeBody, type UpstreamBody } from '../../../upstream/call-body.ts'
import { noResponseError } from '../../../upstream/exchange.ts'
import type { ResponseHold } from '../../../upstream/response-body/response-memory.ts'
import type { RelayCall } from '../call.ts'
import type { InFlightEntry } from '../in-flight.ts'
import { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import { warnedFields } from '../routing/field-policy.ts'
import type { AttemptDependencies, FailedAttempt } from './attempt-result.ts'
import { type FileIds, uploadFiles } from './uploads.ts'

/** Inputs to the body of an attempt. */
interface BodyInputs {
  readonly call: Pick<RelayCall, 'request' | 'requestId' | 'caller' | 'connection'>
  readonly candidate: Candidate
  readonly options: ModelOptions
  readonly headers: HeaderMap
  /** See `BodyTarget.withoutReasoning`. */
  readonly withoutReasoning: boolean
}

type Dependencies = Pick<AttemptDependencies, 'media' | 'upstreams' | 'responses'>
type Entry = Pick<InFlightEntry, 'opened'>

/**
 * Makes the body for the upstream; a promise where files must be fetched or uploaded first. Never throws: a field that the
 * upstream's format cannot express becomes a failed attempt that sent nothing.
 * @step
 */
export function prepareBody(
  inputs: BodyInputs,
  deps: Dependencies,
  entry: Entry,
): UpstreamBody | FailedAttempt | Promise<UpstreamBody | FailedAttempt> {
  const { request } = inputs.call
  const { operation } = inputs.candidate
  const addresses = deps.media.needed(request, operation)
  if (addresses.length === 0 && operation.uploads === undefined) return bodyOf(request, inputs)
  return withFiles(inputs, addresses, deps, entry)
}

async function withFiles(
  inputs: BodyInputs,
  addresses: readonly MediaAddress[],
  deps: Dependencies,
  entry: Entry,
): Promise<UpstreamBody | FailedAttempt> {
  const { uploads } = inputs.candidate.operation
  try {
    const { request } = inputs.call
    const complete =
      addresses.length === 0
        ? request
        : await deps.media.withFiles(request, addresses, entry, () => heldByCall(inputs.call, deps))
    return uploads === undefined
      ? bodyOf(complete, inputs)
      : await withUploads(complete, uploads, inputs, deps, entry)
  } catch (error) {
    return faultOf(error)
  }
}

/** Enters the call in the memory for bodies until its response has left. */
function heldByCall(
  { caller, connection }: BodyInputs['call'],
  { responses }: Pick<Dependencies, 'responses'>,
): ResponseHold {
  const hold = responses.enter(caller.user.id)
  connection.releaseAtEnd?.(hold)
  return hold
}

async function withUploads(
  request: RelayCall['request'],
  uploads: FileUploads,
  inputs: BodyInputs,
  { upstreams }: Dependencies,
  entry: Entry,
): Promise<UpstreamBody | FailedAttempt> {
  const ids = await uploadFiles(request, uploads, inputs.candidate, { upstreams, entry })
  return 'ok' in ids ? ids : bodyOf(request, inputs, ids)
}

function bodyOf(
  request: RelayCall['request'],
  { call, candidate, options, headers, withoutReasoning }: BodyInputs,
  fileIds?: FileIds,
): UpstreamBody | FailedAttempt {
  const { operation, upstreamModel, model: callerModel, channel, passThrough, stripped } = candidate
  const { paramOverride: override, setting } = channel
  const { instructions } = setting
  const ids = { callId: call.requestId, fileIds }
  const target = { operation, upstreamModel, callerModel, override, instructions, ...ids }
  try {
    const body = encodeBody(request, { ...target, options, headers, passThrough, withoutReasoning })
    if (stripped.length === 0) return body
    return { ...body, dropped: [...warnedFields(stripped), ...body.dropped] }
  } catch (error) {
    return faultOf(error)
  }
}

/** Returns the fault of an attempt; any error of another kind is a bug of ours. */
function faultOf(error: unknown): FailedAttempt {
  if (error instanceof RelayError)
    return {
      ok: false,
      error: noResponseError('bad_request', error.message),
      endedBy: undefined,
      refusal: error,
    }
  if (!(error instanceof RequestFault)) throw error
  return { ok: false, error: noResponseError('bad_request', error.message), endedBy: undefined, fault: error }
}
