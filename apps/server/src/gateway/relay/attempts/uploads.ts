import { type ChatRequest, type MediaPart, parseJson, RequestFault } from '@tollgate/formats'
import type { FileUploads } from '@tollgate/providers'
import { brokenExchange, noResponseError } from '../../../upstream/exchange.ts'
import { readSmall } from '../../../upstream/query.ts'
import { restored } from '../../../upstream/request-body/restored-text.ts'
import type { FormBody } from '../../../upstream/request-body/sent-body.ts'
import { channelTarget } from '../../../upstream/request-target.ts'
import type { Upstreams } from '../../../upstream/upstreams.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import { formBody } from '../forms/form-body.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { FailedAttempt } from './attempt-result.ts'

/** Limits of one file. */
const uploadLimits = { timeoutMs: 60_000, maxBytes: 64 * 1024 }

export type FileIds = ReadonlyMap<string, string>

interface UploadDependencies {
  readonly upstreams: Upstreams
  readonly entry: Pick<InFlightEntry, 'opened'>
}

/**
 * Uploads the base64 files of a request, each once, to the upstream of the attempt, no longer than its caller waits. Never
 * throws: an error becomes the attempt's failure.
 * @returns their ids, as `EncodeTarget.fileIds`
 */
export async function uploadFiles(
  request: CallRequest,
  uploads: FileUploads,
  candidate: Candidate,
  { upstreams, entry }: UploadDependencies,
): Promise<FileIds | FailedAttempt> {
  const canonical = readable(request)
  const ids = new Map<string, string>()
  if (canonical === undefined) return ids
  const { channel, keyIndex, operation } = candidate
  const endpoint = uploads.endpoint(channelTarget(channel, keyIndex))
  const ended = endOf(entry)
  for (const [data, file] of filesIn(canonical)) {
    const body = formOf(file, restoredData(data, request), uploads.fields(canonical))
    const send = () => upstreams.ask({ channel, keyIndex, endpoint, body })
    const response = await readSmall(send, { ...uploadLimits, signal: ended.signal }).catch(() => undefined)
    if (response === undefined)
      return { ok: false, error: brokenExchange(ended, undefined), endedBy: ended.endedBy }
    const id = response.status < 300 ? uploads.decode(parseJson(response.body)) : undefined
    if (id === undefined) return { ok: false, error: refusal(response, operation), endedBy: undefined }
    ids.set(data, id)
  }
  return ids
}

/** `undefined` for a request that cannot be translated; encoding its body refuses it later by the field's name. */
function readable(request: CallRequest): ChatRequest | undefined {
  try {
    return request.canonical?.()
  } catch (error) {
    if (error instanceof RequestFault) return undefined
    throw error
  }
}

type File = Pick<MediaPart, 'filename'> & { readonly mediaType: string }

/** Collects the files by their content in the request. */
function filesIn({ messages }: ChatRequest): ReadonlyMap<string, File> {
  const files = new Map<string, File>()
  for (const { parts } of messages)
    for (const part of parts)
      if (part.type === 'media' && part.source.type === 'base64') {
        const { data, mediaType } = part.source
        files.set(data, { mediaType, ...(part.filename !== undefined && { filename: part.filename }) })
      }
  return files
}

/** Large literals are cut short in what was parsed. */
function restoredData(data: string, { restore }: CallRequest): string {
  return restore === undefined ? data : restored(data, restore)
}

function formOf(
  { mediaType, filename }: File,
  base64: string,
  fields: Readonly<Record<string, string>>,
): FormBody {
  const bytes = Buffer.from(base64, 'base64')
  const head = {
    name: 'file',
    fileName: filename ?? `file.${extensionOf(mediaType)}`,
    contentType: mediaType,
  }
  const file = {
    size: bytes.length,
    async *read() {
      yield bytes
    },
  }
  return formBody([{ kind: 'file', head, file }], new Map(Object.entries(fields)))
}

/** The upstream distinguishes kinds of files by their names. */
function extensionOf(mediaType: string): string {
  const kind = mediaType.split('/')[1] ?? ''
  return defaultExtensions[kind] ?? (kind.replace(/^x-|\+.*$/g, '') || 'bin')
}

const defaultExtensions: Readonly<Partial<Record<string, string>>> = {
  jpeg: 'jpg',
  plain: 'txt',
  markdown: 'md',
  mpeg: 'mp3',
  quicktime: 'mov',
}

function refusal(failure: Awaited<ReturnType<typeof readSmall>>, operation: Candidate['operation']) {
  return failure.status < 300
    ? noResponseError('upstream_bug', 'The upstream took a file and gave no id for it.')
    : operation.decodeError(failure)
}

/** Makes a signal for uploads that ends with the call. */
function endOf(entry: Pick<InFlightEntry, 'opened'>) {
  const controller = new AbortController()
  const ended: { endedBy: FailedAttempt['endedBy']; readonly signal: AbortSignal } = {
    endedBy: undefined,
    signal: controller.signal,
  }
  entry.opened({
    end(reason) {
      ended.endedBy = reason
      controller.abort()
    },
  })
  return ended
}
