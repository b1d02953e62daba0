import type { Envelope } from '@tollgate/api'
import type { ConsoleFixture } from './console-fixture.ts'

interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly envelope: Envelope & Readonly<Record<string, unknown>>
}

/** Browser that stores and sends cookies, with the user header once somebody is logged in. */
export interface TestBrowser {
  readonly cookies: Map<string, string>
  userId: number | undefined
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Seen>
}

export function openBrowser({ raw }: Pick<ConsoleFixture, 'raw'>): TestBrowser {
  const cookies = new Map<string, string>()
  const browser: TestBrowser = {
    cookies,
    userId: undefined,
    async send(method, path, body, headers = {}) {
      const response = await raw(method, path, {
        ...(body === undefined ? {} : { body }),
        headers: {
          host: 'console.example',
          'user-agent': 'TestBrowser/1.0',
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(browser.userId === undefined ? {} : { 'new-api-user': String(browser.userId) }),
          ...headers,
        },
      })
      for (const line of response.headers.getSetCookie()) keep(cookies, line)
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      const envelope = (isJson ? await response.json() : {}) as Seen['envelope']
      return { status: response.status, headers: response.headers, envelope }
    },
  }
  return browser
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const [name = '', value = ''] = pair.split('=')
  if (value === '') cookies.delete(name)
  else cookies.set(name, value)
}
