import { until } from './until.ts'

/** Someone who runs a Tollgate through its console API, as a browser would: session cookie and user header. */
export interface Operator {
  readonly url: string
  readonly userId: number
  /** Session as the log-in returned it; `user` is the person as the console stores them. */
  readonly cookie: string
  readonly user: object
  /** The envelope as it came. */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<Envelope<T>>
  /** The envelope's data; throws its message when it is a refusal. */
  api<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
  /** The same, and confirms what it is asked about. */
  confirmed<T = unknown>(method: string, path: string, body: object): Promise<T>
  /** Saves an option, and confirms what it is asked about. */
  option(key: string, value: string): Promise<void>
  addChannel(
    fields: { name: string; base_url: string; models: string } & Record<string, unknown>,
  ): Promise<{ id: number }>
  /** Creates a key and returns it with `sk-` in front. */
  addKey(fields?: Record<string, unknown>): Promise<{ id: number; key: string }>
  /** Own balance with everything settled. */
  quota(): Promise<number>
  /** Counts the consumption rows. */
  consumed(): Promise<number>
  /** The newest consumption row, as soon as there are `total` of them. */
  consumption(total: number, timeoutMs?: number): Promise<LogRow>
  /** The same session at another node of the fleet. */
  at(url: string): Operator
}

export interface Envelope<T> {
  readonly success: boolean
  readonly message: string
  readonly code?: string
  readonly data: T
}

export interface LogRow {
  readonly id: number
  readonly quota: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly model_name: string
  readonly token_name: string
  readonly is_stream: boolean
  readonly channel: number
  readonly request_id: string
  readonly other: string
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** The super administrator whom `operate` sets up. */
export const rootAccount: Credentials = { username: 'root', password: 'correct-horse-battery' }

/** Walks through first-run setup where it is still to be done, and logs in. */
export async function operate(url: string): Promise<Operator> {
  const { data } = (await (await fetch(`${url}/api/setup`)).json()) as Envelope<{ status: boolean }>
  if (!data.status) {
    const reply = await fetch(`${url}/api/setup`, {
      method: 'POST',
      body: JSON.stringify({ ...rootAccount, confirmPassword: rootAccount.password }),
    })
    const envelope = (await reply.json()) as Envelope<unknown>
    if (!envelope.success) throw new Error(envelope.message)
  }
  return logIn(url, rootAccount)
}

/** Logs a person in through the API. */
export async function logIn(url: string, who: Credentials): Promise<Operator> {
  const reply = await fetch(`${url}/api/user/login`, { method: 'POST', body: JSON.stringify(who) })
  const login = (await reply.json()) as Envelope<{ readonly id: number }>
  if (!login.success) throw new Error(login.message)
  const cookie = (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return operatorOf(url, { cookie, user: login.data })
}

function accepted<T>(call: string, { success, message, data }: Envelope<T>): T {
  if (!success) throw new Error(`${call}: ${message}`)
  return data
}

function operatorOf(
  url: string,
  session: { readonly cookie: string; readonly user: { readonly id: number } },
): Operator {
  const { cookie, user } = session
  const userId = user.id

  async function call<T>(method: string, path: string, body?: unknown): Promise<Envelope<T>> {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, 'New-Api-User': String(userId) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as Envelope<T>
  }

  async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
    return accepted(`${method} ${path}`, await call<T>(method, path, body))
  }

  async function confirmed<T>(method: string, path: string, body: object): Promise<T> {
    const requested = await call<T>(method, path, body)
    if (requested.code !== 'confirmation_required') return accepted(`${method} ${path}`, requested)
    const { confirmation } = requested as typeof requested & { readonly confirmation: string }
    return await api<T>(method, path, { ...body, confirmation })
  }

  const page = () => api<{ items: LogRow[]; total: number }>('GET', '/api/log/?p=1&page_size=1&type=2')

  return {
    url,
    userId,
    cookie,
    user,
    call,
    api,
    confirmed,
    async option(key, value) {
      await confirmed('PUT', '/api/option/', { key, value })
    },
    addChannel: (fields) =>
      api('POST', '/api/channel/', { type: 1, key: 'sk-upstream-secret-0001', ...fields }),
    async addKey(fields = {}) {
      const token = await api<{ id: number; key: string }>('POST', '/api/token/', {
        name: 'test key',
        unlimited_quota: true,
        ...fields,
      })
      return { id: token.id, key: `sk-${token.key}` }
    },
    quota: async () => (await api<{ quota: number }>('GET', '/api/user/self')).quota,
    consumed: async () => (await page()).total,
    consumption: (total, timeoutMs) =>
      until(async () => {
        const found = await page()
        return found.total >= total ? found.items[0] : undefined
      }, timeoutMs),
    at: (other) => operatorOf(other, session),
  }
}
