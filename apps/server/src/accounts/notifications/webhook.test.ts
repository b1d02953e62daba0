import { expect, it } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { UserRequest } from '../../lib/outbound/user-fetch.ts'
import { isRetryable } from './delivery-queue.ts'
import { deliverByWebhook } from './webhook.ts'

const notification = {
  type: 't',
  title: 'T',
  template: '{{value}} and {{value}}',
  values: ['a {{value}}', '$&'],
}

async function delivered(secret: string, status = 200, changed = {}) {
  const sent: UserRequest[] = []
  const fetch = async (request: UserRequest) => {
    sent.push(request)
    return { status, headers: {}, body: '' }
  }
  const error = await deliverByWebhook(
    { ...notification, ...changed },
    { url: 'https://there.example', secret },
    { fetch, now: 5, signal: new AbortController().signal },
  ).catch((reason: unknown) => reason)
  return { request: sent[0], error }
}

it('a webhook is JSON with its values inserted, signed over its raw body', async () => {
  const { request } = await delivered('hush')
  expect(JSON.parse(request?.json ?? '')).toEqual({
    type: 't',
    title: 'T',
    content: 'a {{value}} and $&',
    values: ['a {{value}}', '$&'],
    timestamp: 5,
  })
  const signature = createHmac('sha256', 'hush')
    .update(request?.json ?? '')
    .digest('hex')
  expect(request?.headers).toEqual({ 'X-Webhook-Signature': signature })
  expect(request?.headersByWorker).toEqual({ Authorization: 'Bearer hush' })
})

it('a webhook without a secret has no signature, and without values no list of them', async () => {
  const { request } = await delivered('', 200, { template: 'hello', values: [] })
  expect(request).not.toHaveProperty('headers')
  expect(request).not.toHaveProperty('headersByWorker')
  expect(JSON.parse(request?.json ?? '')).not.toHaveProperty('values')
})

it.each([
  [200, undefined],
  [204, undefined],
  [400, false],
  [404, false],
  [408, true],
  [429, true],
  [500, true],
  [503, true],
])('after a response of %i a retry is worthwhile: %p', async (status, worthIt) => {
  const { error } = await delivered('', status)
  expect(error === undefined ? undefined : isRetryable(error)).toBe(worthIt as never)
})
