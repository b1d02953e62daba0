import type { InboundRequest } from '@tollgate/http/server'
import { FormFault, FormScanner, formBoundary } from '../../relay/forms/form-scanner.ts'
import { FormCollector, type ReceivedForm } from '../../relay/forms/received-form.ts'
import { RelayError } from '../../relay/relay-error.ts'
import { refuseBroken, tooLarge } from './read-body.ts'

/**
 * The form that a request brings, at most `limit` bytes of it. Its files are not in memory, but for small ones: whoever gets
 * it must discard it. Throws `RelayError`, and has kept nothing then.
 */
export async function readForm(request: InboundRequest, limit: number): Promise<ReceivedForm> {
  refuseUnreadable(request, limit)
  const form = new FormCollector()
  try {
    const scanner = new FormScanner(formBoundary(request.headers.get('content-type') ?? ''), form)
    // Of what was read: the rest is in temporary files.
    let heldBytes = 0
    for (let size = 0; ; ) {
      const { done, value } = await request.read().catch(refuseBroken)
      if (done) break
      size += value.length
      if (size > limit) throw refuseLarge(request, limit)
      scanner.push(value)
      await form.flush()
      const receivedBytes = heldBytes + value.length
      heldBytes = form.bytesInMemory
      request.releaseBytes(receivedBytes - heldBytes)
    }
    scanner.end()
    await form.finish()
    return form
  } catch (error) {
    await form.discard()
    if (error instanceof FormFault)
      throw new RelayError('invalid_request', error.message, { upstreamCode: 'invalid_form', cause: error })
    throw error
  }
}

function refuseUnreadable(request: InboundRequest, limit: number): void {
  const encoding = request.headers.get('content-encoding') ?? ''
  if (encoding !== '' && encoding !== 'identity')
    throw new RelayError('body_encoding_unsupported', 'A form must not be compressed. Send it as it is.')
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw refuseLarge(request, limit)
}

/** The rest is not read. */
function refuseLarge(request: InboundRequest, limit: number): RelayError {
  Promise.resolve(request.buffered(0)).catch(() => undefined)
  return tooLarge(limit)
}
