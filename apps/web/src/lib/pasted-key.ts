import { calls, type FoundKey } from '@tollgate/api'
import { request } from './api/api-client.ts'
import { clockHere } from './format/reader-clock.ts'
import { currentUser, hasPart } from './session/session.ts'

/** Imported keys have other lengths than ours, and are as good as any when somebody finds them. */
const keyForm = /^(?:bearer\s+)?(?:sk-[\x21-\x7e]{20,500}|[0-9A-Za-z]{48})$/i

/**
 * Recognises the text of a complete API key. Such a text is a secret: it goes into no address and no search, and to the server in a
 * body alone.
 */
export function isWholeKey(text: string): boolean {
  return keyForm.test(text.trim())
}

/** Asks the server whose key this is: administrators of users for everybody's, others for their own. */
export function findKey(text: string, signal?: AbortSignal): Promise<FoundKey> {
  const call = hasPart(currentUser(), 'users') ? calls.keys.find : calls.keys.findOwn
  return request(call, { query: clockHere(), body: { key: text.trim() }, ...(signal && { signal }) })
}
