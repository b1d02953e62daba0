import type { Call, ResponseKind } from '@tollgate/api'
import { StreamedResponse } from '@tollgate/http/server'
import { consoleError, plainError, walletError } from '../error-response.ts'
import { plainPagePolicy } from '../security-headers.ts'
import { redirectLocation } from './redirect-location.ts'
import type { RequestContext } from './request-context.ts'
import type { HandlerResults } from './route.ts'
import { streamBody } from './stream-body.ts'
import { jsonResponse, textResponse } from './text-response.ts'

type AnyResults = HandlerResults<Call>

/** Where an answer is written to, and who is told that it broke off. */
interface Writing {
  readonly visit: RequestContext
  readonly onBroken: (error: unknown) => void
}

type Writers = { readonly [Kind in ResponseKind]: (response: AnyResults[Kind], writing: Writing) => Response }

const writers: Writers = {
  envelope({ data, extra, message = '' }, { visit }) {
    const body = { ...(extra as object | undefined), success: true, message, data }
    return jsonResponse(visit.request, 200, body, visit.responseHeaders)
  },
  wallet({ data, extra }, { visit }) {
    const body = { ...(extra as object | undefined), success: true, message: 'success', data }
    return jsonResponse(visit.request, 200, body, visit.responseHeaders)
  },
  redirect(response, { visit }) {
    return redirectTo(redirectLocation(response), visit)
  },
  text({ text, contentType = 'text/plain', gzipped }, { visit }) {
    return textOf(200, text, contentType, visit, gzipped)
  },
  page({ html }, { visit }) {
    visit.responseHeaders.set('content-security-policy', plainPagePolicy)
    return textOf(200, html, 'text/html', visit)
  },
  bytes({ bytes, contentType, filename }, { visit }) {
    return new Response(bytes, { headers: contentHeaders(contentType, filename, visit) })
  },
  stream(response, { visit, onBroken }) {
    const headers = contentHeaders(response.contentType, response.filename, visit)
    return new StreamedResponse(streamBody(response, onBroken), { headers })
  },
}

/** The response of a call, by its kind. Throws when the answer is one that may not be sent. */
export function resultResponse(call: Call, response: AnyResults[ResponseKind], writing: Writing): Response {
  // `route` binds a handler to exactly this call, so its answer is of the call's kind.
  const write = writers[call.response ?? 'envelope'] as (response: unknown, writing: Writing) => Response
  return write(response, writing)
}

/**
 * The response to a call that failed: the envelope, or its like for wallets; the page that the call names, with the code for it to explain; or a
 * plain text, whose status programs can act upon.
 */
export function errorResponse(call: Call, error: unknown, visit: RequestContext): Response {
  if (call.response === undefined || call.response === 'envelope') {
    const { status, body } = consoleError(error, visit.language)
    return jsonResponse(visit.request, status, body, visit.responseHeaders)
  }
  if (call.response === 'wallet') {
    const { status, body } = walletError(error, visit.language)
    return jsonResponse(visit.request, status, body, visit.responseHeaders)
  }
  const { status, code, message } = plainError(error, visit.language)
  if (call.response === 'redirect' && call.errorPage !== undefined)
    return redirectTo(`${call.errorPage}?error=${code}`, visit)
  const word = 'refusalText' in call ? call.refusalText : undefined
  return textOf(status, word ?? message, 'text/plain', visit)
}

function redirectTo(location: string, { responseHeaders }: RequestContext): Response {
  responseHeaders.set('location', location)
  return new Response(null, { status: 302, headers: responseHeaders })
}

function textOf(
  status: number,
  text: string,
  contentType: string,
  visit: RequestContext,
  gzipped?: Uint8Array<ArrayBuffer>,
): Response {
  visit.responseHeaders.set('content-type', `${contentType}; charset=utf-8`)
  return textResponse(visit.request, status, text, visit.responseHeaders, gzipped)
}

function contentHeaders(
  contentType: string,
  filename: string | undefined,
  { responseHeaders }: RequestContext,
): Headers {
  responseHeaders.set('content-type', contentType)
  if (filename !== undefined) responseHeaders.set('content-disposition', attachment(filename))
  return responseHeaders
}

/** RFC 6266: a name of plain characters for old programs, and the name itself (RFC 8187) for the others. */
function attachment(filename: string): string {
  const plain = filename.replace(/[^\w.-]/g, '_')
  const exact = encodeURIComponent(filename).replace(/['()*]/g, percentEncoded)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
