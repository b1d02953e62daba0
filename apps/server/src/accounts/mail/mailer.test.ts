import { afterAll, afterEach, beforeAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTool } from '../../../../../scripts/lib/tools.mjs'
import { type MailServer, startMailServer } from '../../../../../tests/support/services/mail-server.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createMailer } from './mailer.ts'

const settings = {
  SMTPServer: 'localhost',
  SMTPPort: 25,
  SMTPAccount: '',
  SMTPToken: '',
  SMTPFrom: 'gate@example.com',
  SMTPSSLEnabled: false,
  SystemName: 'Our "Gate"',
}
const mail = { to: 'ann@example.org', subject: 'Grüße, 安', html: '<p>Grüße, 安 &amp; all</p>' }

const servers: MailServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

async function withServer(options: Parameters<typeof startMailServer>[0] = {}) {
  const server = await startMailServer(options)
  servers.push(server)
  const send = (change: Partial<typeof settings> = {}, authority = options.certificate?.cert, sent = mail) =>
    createMailer({
      settings: { current: { ...settings, SMTPPort: server.port, ...change } },
      ...(authority !== undefined && { authority }),
    }).send(sent)
  return { server, send }
}

async function refusalOf(sending: Promise<void>): Promise<Refusal> {
  const error = await sending.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (error instanceof Refusal) return error
  throw new Error('nothing was refused')
}

describe('a mail', () => {
  it("has the sender's address, the installation's name, and the text unchanged", async () => {
    const { server, send } = await withServer()
    await send()
    const [received] = server.received
    expect(received).toMatchObject({ from: 'gate@example.com', to: ['ann@example.org'], secure: false })
    expect(received?.html).toContain(mail.html)
    expect(received?.headers).toMatchObject({
      from: '"Our \\"Gate\\"" <gate@example.com>',
      to: 'ann@example.org',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(received?.headers['message-id']).toEndWith('@example.com>')
    expect(received?.headers.subject).toStartWith('=?UTF-8?')
  })

  it('has the account as its sender where none is set', async () => {
    const { server, send } = await withServer()
    await send({ SMTPFrom: '', SMTPAccount: 'account@example.com' })
    expect(server.received[0]?.from).toBe('account@example.com')
  })

  it.each([
    'ann@example.org;bob@example.org',
    'ann@example.org,bob@example.org',
    'ann@example.org\r\nRCPT TO:<bob@example.org>',
    'Ann <ann@example.org>',
    '',
  ])('goes to one address and not to %p', async (to) => {
    const { server, send } = await withServer()
    expect((await refusalOf(send({}, undefined, { ...mail, to }))).code).toBe('email_invalid')
    expect(server.received).toEqual([])
  })

  it('takes no headers from its subject', async () => {
    const { server, send } = await withServer()
    await send({ SystemName: 'Gate\r\nBcc: bob@example.org' }, undefined, {
      ...mail,
      subject: 'Hello\r\nBcc: bob@example.org\r\n\r\nmore',
    })
    expect(server.received[0]?.to).toEqual(['ann@example.org'])
    expect(server.received[0]?.headers).not.toHaveProperty('bcc')
    expect(server.received[0]?.headers.subject).toBe('Hello Bcc: bob@example.org more')
  })
})

describe('a mail server', () => {
  it('must be configured', async () => {
    for (const change of [{ SMTPServer: '' }, { SMTPFrom: '' }, { SMTPFrom: 'a@b.de;c@d.de' }]) {
      const mailer = createMailer({ settings: { current: { ...settings, ...change } } })
      expect(mailer.isConfigured).toBe(false)
      expect((await refusalOf(mailer.send(mail))).code).toBe('mail_not_configured')
    }
    expect(createMailer({ settings: { current: settings } }).isConfigured).toBe(true)
  })

  it('that refuses a mail is named in the log alone', async () => {
    const { send } = await withServer({ refuses: 'we know no such person' })
    const refusal = await refusalOf(send())
    expect(refusal.code).toBe('mail_failed')
    expect(refusal.message).not.toContain('person')
    expect(String(refusal.cause)).toContain('we know no such person')
  })

  it('that does not respond fails the mail', async () => {
    const { server, send } = await withServer()
    await server.stop()
    expect((await refusalOf(send())).code).toBe('mail_failed')
  })
})

describe.skipIf(findTool('openssl') === undefined)('encryption', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mail-'))
  let certificate: { key: string; cert: string }
  const credentials = { SMTPAccount: 'ann@example.com', SMTPToken: 'hush-hush' }

  beforeAll(async () => {
    const make =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -batch -days 2 -subj /CN=mail ' +
      '-addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem'
    const openssl = Bun.spawn([findTool('openssl') ?? '', ...make.split(' ')], {
      cwd: folder,
      stderr: 'ignore',
    })
    expect(await openssl.exited).toBe(0)
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    certificate = { key: read('key.pem'), cert: read('cert.pem') }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('starts with STARTTLS when the server offers it, before credentials', async () => {
    const { server, send } = await withServer({ certificate })
    await send(credentials)
    expect(server.received[0]?.secure).toBe(true)
    expect(server.logins).toEqual([
      { method: 'PLAIN', username: 'ann@example.com', password: 'hush-hush', secure: true },
    ])
  })

  it.each([{ SMTPAccount: 'ann@outlook.com' }, { SMTPAccount: 'ann@contoso.onmicrosoft.com' }])(
    'logs in to Microsoft the way it wants: %p',
    async (account) => {
      const { server, send } = await withServer({ certificate })
      await send({ ...credentials, ...account })
      expect(server.logins[0]?.method).toBe('LOGIN')
    },
  )

  it('is there from the first byte when the operator says so', async () => {
    const { server, send } = await withServer({ certificate, implicitTls: true })
    await send({ ...credentials, SMTPSSLEnabled: true })
    expect(server.received[0]?.secure).toBe(true)
  })

  it('refuses an untrusted certificate, and one for another host', async () => {
    for (const implicitTls of [false, true]) {
      const { server, send } = await withServer({ certificate, implicitTls })
      const change = { SMTPSSLEnabled: implicitTls }
      const system = 'an untrusted certificate'
      expect((await refusalOf(send(change, system))).code).toBe('mail_failed')
      expect((await refusalOf(send({ ...change, SMTPServer: '127.0.0.1' }))).code).toBe('mail_failed')
      expect(server.received).toEqual([])
    }
  })

  it('must precede credentials: they are never sent in clear', async () => {
    const { server, send } = await withServer()
    expect((await refusalOf(send(credentials))).code).toBe('mail_failed')
    expect(server.logins).toEqual([])
    expect(server.received).toEqual([])
  })
})
