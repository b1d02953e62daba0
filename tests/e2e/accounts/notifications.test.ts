import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { addUser } from '../../support/add-user.ts'
import { canMakeCertificates } from '../../support/network/certificate.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { startMailServer } from '../../support/services/mail-server.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../support/services/webhook-receiver.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

// (20 + 10 × 4) × 1.25
const chargePerCall = 75
const secret = 'a secret between two servers'

/** Decides to skip the suite; the build server must have what the test needs. */
const cannot = !canMakeCertificates() && process.env['CI'] !== 'true'

describe.skipIf(cannot)('a balance that falls below its threshold', () => {
  let upstream: Upstream
  let receiver: WebhookReceiver
  let gateway: Tollgate
  let root: Operator

  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'a short answer', usage: { promptTokens: 20, completionTokens: 10 } }))
    receiver = await startWebhookReceiver()
    gateway = await startTollgate({
      env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', NODE_EXTRA_CA_CERTS: receiver.authority },
    })
    root = await operate(gateway.url)
    await root.api('PUT', '/api/option/batch', {
      options: [
        { key: 'ServerAddress', value: 'https://gate.example/' },
        { key: 'OutboundAllowedRanges', value: '127.0.0.0/8' },
      ],
    })
    await root.addChannel({ name: 'money', base_url: upstream.url, models: 'gpt-4o' })
  })
  afterAll(async () => {
    await gateway?.stop()
    await receiver?.stop()
    await upstream?.stop()
  })

  /** A user with a webhook, and a key of theirs. */
  async function person(name: string, quota: number, url = `${receiver.url}/${name}`) {
    const user = await addUser(gateway, name, quota)
    await user.api('PUT', '/api/user/setting', {
      notify_type: 'webhook',
      quota_warning_threshold: 100 * chargePerCall,
      webhook_url: url,
      webhook_secret: secret,
    })
    return { user, key: (await user.addKey()).key }
  }

  async function call(key: string): Promise<void> {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: 'gpt-4o',
        max_tokens: 10,
        messages: [{ role: 'user', content: 'Question' }],
      }),
    })
    if (!reply.ok) throw new Error(await reply.text())
    await reply.text()
  }

  function changeStored(statement: string): void {
    const database = openBeside(gateway.dataDir)
    database.run(statement)
    database.close()
  }

  /** Warnings of which the store does not know that they arrived. */
  function openWarnings(): number {
    const database = new Database(join(gateway.dataDir, 'tollgate.db'), { readonly: true })
    const [row] = database
      .query<{ count: number }, []>('select count(*) as count from quota_warnings where settled = 0')
      .all()
    database.close()
    return row?.count ?? 0
  }

  const hooksOf = (name: string) => receiver.received.filter(({ path }) => path === `/${name}`)

  it('is reported once by a signed webhook, however many calls run at once, and not again after a restart', async () => {
    const { key } = await person('ann', 130 * chargePerCall)
    await Promise.all(Array.from({ length: 64 }, () => call(key)))
    await until(() => hooksOf('ann')[0])
    // Killed before that is written, it would rightly tell again.
    await until(() => openWarnings() === 0 || undefined)
    await call(key)
    await gateway.restart('SIGKILL')
    await call(key)
    await gateway.restart()
    const [hook, ...others] = hooksOf('ann')
    expect(others).toEqual([])
    const signature = createHmac('sha256', secret)
      .update(hook?.body ?? '')
      .digest('hex')
    expect(hook?.headers).toMatchObject({
      'x-webhook-signature': signature,
      'content-type': 'application/json',
    })
    expect(hook?.headers).not.toHaveProperty('authorization')
    const sent = JSON.parse(hook?.body ?? '')
    expect(sent).toMatchObject({ type: 'quota_exceed', timestamp: expect.any(Number) })
    expect(sent.values).toHaveLength(4)
    expect(sent.content).toContain(sent.values[0])
    expect(sent.content).toContain('https://gate.example/topup')
    expect(sent.content).not.toContain('{{')
  })

  it('is reported again once it was above the threshold', async () => {
    const { user, key } = await person('cat', 100 * chargePerCall)
    await call(key)
    await until(() => hooksOf('cat')[0])
    const [code] = await root.api<string[]>('POST', '/api/redemption/', {
      name: 'more',
      quota: chargePerCall,
      count: 1,
    })
    await user.api('POST', '/api/user/topup', { key: code })
    await call(key)
    await until(() => hooksOf('cat')[1])
  })

  it('is reported again when the receiver failed, and only then', async () => {
    receiver.replyWith(503)
    const { key } = await person('bob', 100 * chargePerCall)
    await call(key)
    await until(() => hooksOf('bob')[1], 10_000)
    const bodies = hooksOf('bob').map(({ body }) => JSON.parse(body).type)
    expect(bodies).toEqual(['quota_exceed', 'quota_exceed'])
    await Bun.sleep(300)
    expect(hooksOf('bob')).toHaveLength(2)
  })

  it('is not reported to a private address that root did not open', async () => {
    await root.api('PUT', '/api/option/', { key: 'OutboundAllowedRanges', value: '' })
    const { key } = await person('eve', 100 * chargePerCall)
    await call(key)
    await until(() => (gateway.logs().includes('OutboundForbiddenError') ? true : undefined))
    expect(hooksOf('eve')).toEqual([])
    await root.option('OutboundAllowedRanges', '127.0.0.0/8')
  })

  it('is reported through the worker when there is one', async () => {
    const requested: { body: Record<string, unknown>; path: string }[] = []
    const worker = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        requested.push({ path: new URL(request.url).pathname, body: (await request.json()) as never })
        return new Response('ok')
      },
    })
    await root.api('PUT', '/api/option/batch', {
      options: [
        { key: 'WorkerUrl', value: `http://127.0.0.1:${worker.port}/` },
        { key: 'WorkerValidKey', value: 'worker-key' },
      ],
    })
    const { key } = await person('zoe', 100 * chargePerCall)
    await call(key)
    const { path, body } = await until(() => requested[0])
    await worker.stop(true)
    expect(path).toBe('/')
    expect(body).toMatchObject({
      url: `${receiver.url}/zoe`,
      key: 'worker-key',
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    })
    const signature = createHmac('sha256', secret).update(JSON.stringify(body['body'])).digest('hex')
    expect(body['headers']).toMatchObject({ 'X-Webhook-Signature': signature })
    expect(hooksOf('zoe')).toEqual([])
  })

  it('is reported by mail by default, as channels are to the super admin', async () => {
    const mail = await startMailServer()
    await root.api('PUT', '/api/option/batch', {
      options: [
        { key: 'SMTPServer', value: 'localhost' },
        { key: 'SMTPPort', value: mail.port },
        { key: 'SMTPFrom', value: 'gate@example.com' },
        { key: 'QuotaRemindThreshold', value: 100 * chargePerCall },
        { key: 'AutomaticDisableChannelEnabled', value: true },
      ],
    })
    const user = await addUser(gateway, 'dan', 100 * chargePerCall)
    changeStored("update users set email = username || '@example.org' where username in ('dan', 'root')")
    await call((await user.addKey()).key)
    const warning = await mail.mailTo('dan@example.org')
    expect(warning.html).toContain('<a href="https://gate.example/topup">')
    upstream.otherwise(refuse(401))
    await call((await user.addKey()).key).catch(() => undefined)
    const disabled = await mail.mailTo('root@example.org')
    expect(disabled.html).toContain('money (#1)')
    expect(disabled.html).toContain('密钥')
    await root.api('GET', '/api/channel/test')
    expect((await mail.mailTo('root@example.org', 2)).html).toContain('Channels tested')
    await mail.stop()
  })

  it('leaves the books balanced', async () => {
    await gateway.kill()
    const { code, output } = await gateway.run('audit')
    expect([code, output]).toEqual([0, output])
    await gateway.start()
  })
})
