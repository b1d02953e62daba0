import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { withDatabase } from '../../support/console/people.ts'
import { type Envelope, logIn, type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../../support/services/mail-server.ts'

setDefaultTimeout(deadline(60_000))

const unit = 500_000
const firstQuota = 700
/** Ten transfers of the smallest amount. */
const earnings = 10 * unit
const ann = { username: 'ann', password: 'a long password', email: 'Ann@example.com' }

let postgres: Postgres | undefined
beforeAll(async () => {
  if (hasPostgres()) postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
})

describe.each(['sqlite', 'postgres'] as const)('over %s', (database) => {
  describe.skipIf(database === 'postgres' && !hasPostgres())('a newcomer', () => {
    let mail: MailServer
    let gateway: Tollgate
    let root: Operator
    let databaseUrl: string | undefined

    beforeAll(async () => {
      mail = await startMailServer()
      databaseUrl = database === 'postgres' ? await postgres?.createDatabase() : undefined
      gateway = await startTollgate({
        env: {
          GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
          CRITICAL_RATE_LIMIT: '1000',
          ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        },
      })
      root = await operate(gateway.url)
      const options = {
        ServerAddress: gateway.url,
        SystemName: 'Our Gate',
        SMTPServer: '127.0.0.1',
        SMTPPort: String(mail.port),
        SMTPFrom: 'gate@example.com',
        EmailVerificationEnabled: 'true',
        QuotaPerUnit: String(unit),
        QuotaForNewUser: String(firstQuota),
        QuotaForInviter: String(earnings),
      }
      for (const [key, value] of Object.entries(options)) await root.option(key, value)
    })
    afterAll(async () => {
      await gateway?.stop()
      await mail?.stop()
    })

    async function send(method: string, path: string, body?: object): Promise<Envelope<unknown>> {
      const init = { method, ...(body && { body: JSON.stringify(body) }) }
      return (await (await fetch(gateway.url + path, init)).json()) as Envelope<unknown>
    }

    /** Past the gateway. */
    async function sql(query: string): Promise<void> {
      if (databaseUrl === undefined) return withDatabase(gateway.dataDir, (file) => void file.run(query))
      await using server = new SQL(databaseUrl, { max: 1 })
      await server.unsafe(query)
    }

    const codeIn = ({ html }: ReceivedMail) => />([\da-f]{6})<\/strong>/.exec(html)?.[1] ?? ''

    async function register(fields: { email: string } & Record<string, string>): Promise<void> {
      const requested = await send('GET', `/api/verification?email=${encodeURIComponent(fields.email)}`)
      expect(requested.success).toBe(true)
      const verification_code = codeIn(await mail.mailTo(fields.email))
      const { message } = await send('POST', '/api/user/register', { ...fields, verification_code })
      expect(message).toBe('')
    }

    it('registers with the code that a real mail brought', async () => {
      await register(ann)
      expect(mail.received[0]?.headers.from).toBe('Our Gate <gate@example.com>')
      const operator = await logIn(gateway.url, ann)
      expect(await operator.api<object>('GET', '/api/user/self')).toMatchObject({
        email: ann.email,
        quota: firstQuota,
        role: 1,
      })
    })

    it('gets no code for a taken address, and does not reveal that it is taken', async () => {
      expect(await send('GET', `/api/verification?email=${ann.email.toLowerCase()}`)).toEqual(
        await send('GET', '/api/verification?email=free@example.com'),
      )
      expect(codeIn(await mail.mailTo(ann.email, 2))).toBe('')
    })

    it('gets back in by the link of a real mail, which ends the sessions before', async () => {
      const before = await logIn(gateway.url, ann)
      await send('GET', `/api/reset_password?email=${ann.email}`)
      const { html } = await mail.mailTo(ann.email, 3)
      const link = new URL(/href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '')
      expect(`${link.origin}${link.pathname}`).toBe(`${gateway.url}/user/reset`)
      const reply = await send('POST', '/api/user/reset', Object.fromEntries(link.searchParams))
      expect((await before.call('GET', '/api/user/self')).success).toBe(false)
      const operator = await logIn(gateway.url, { ...ann, password: String(reply.data) })
      const change = { password: ann.password, original_password: reply.data }
      expect((await operator.call('PUT', '/api/user/self', change)).success).toBe(true)
      expect((await operator.call('GET', '/api/user/self')).success).toBe(true)
    })

    it('earns by an invitation, and a hundred transfers at once move what is there, once', async () => {
      const operator = await logIn(gateway.url, ann)
      const aff_code = await operator.api<string>('GET', '/api/user/aff')
      await register({ username: 'bob', password: ann.password, email: 'bob@example.com', aff_code })
      const replies = await Promise.all(
        Array.from({ length: 100 }, () => operator.call('POST', '/api/user/aff_transfer', { quota: unit })),
      )
      expect(replies.filter(({ success }) => success)).toHaveLength(earnings / unit)
      const codes = replies.filter(({ success }) => !success).map(({ code }) => code)
      expect(new Set(codes)).toEqual(new Set(['transfer_exceeds_earnings']))
      const figures = {
        quota: firstQuota + earnings,
        aff_quota: 0,
        aff_history_quota: earnings,
        aff_count: 1,
      }
      expect(await operator.api<object>('GET', '/api/user/self')).toMatchObject(figures)
      const audit = await gateway.run('audit')
      expect(audit.output).toContain('adds up')
      expect(audit.code).toBe(0)
      await gateway.restart('SIGKILL')
      const again = await logIn(gateway.url, ann)
      expect(await again.api<object>('GET', '/api/user/self')).toMatchObject(figures)
    })

    it('gets no gift for an inbox that had one, under whatever alias, and neither does who invited', async () => {
      const operator = await logIn(gateway.url, ann)
      const before = await operator.api<object>('GET', '/api/user/self')
      const aff_code = await operator.api<string>('GET', '/api/user/aff')
      const alias = { username: 'carl', password: ann.password, email: 'A.nn+2@example.com' }
      await register({ ...alias, aff_code })
      const carl = await logIn(gateway.url, alias)
      expect(await carl.api<object>('GET', '/api/user/self')).toMatchObject({ quota: 0 })
      expect(await operator.api<object>('GET', '/api/user/self')).toEqual(before)
    })

    it('closes the account, and its keys stop at once', async () => {
      const operator = await logIn(gateway.url, { ...ann, username: 'bob' })
      const { key } = await operator.addKey()
      const models = async () =>
        (await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status
      expect(await models()).toBe(200)
      expect((await operator.call('DELETE', '/api/user/self')).success).toBe(true)
      expect(await models()).toBe(401)
      expect((await operator.call('GET', '/api/user/self')).code).toBe('not_logged_in')
    })

    it('leaves one way in when the last two are removed at once', async () => {
      const operator = await logIn(gateway.url, ann)
      const options = {
        GitHubClientId: 'id',
        GitHubOAuthEnabled: 'true',
        TelegramBotToken: '1:a',
        TelegramOAuthEnabled: 'true',
      }
      for (const [key, value] of Object.entries(options)) await root.option(key, value)
      for (let round = 0; round < 12; round += 1) {
        await sql(
          `update users set password_hash = '', github_id = '1', telegram_id = '2' where username = 'ann'`,
        )
        const unbind = (name: string) => operator.call('DELETE', `/api/user/self/binding/${name}`)
        const replies = await Promise.all([unbind('github'), unbind('telegram')])
        expect(replies.map(({ success }) => success).toSorted()).toEqual([false, true])
        expect(replies.find(({ success }) => !success)?.code).toBe('last_way_to_sign_in')
      }
    })

    it('finds no code, link token or password in what the gateway wrote down', () => {
      for (const { html } of mail.received) {
        const token = /token=([\w-]+)/.exec(html)?.[1]
        for (const secret of [codeIn({ html } as ReceivedMail), token])
          if (secret) expect(gateway.logs()).not.toContain(secret)
      }
      expect(gateway.logs()).not.toContain(ann.password)
    })
  })
})
