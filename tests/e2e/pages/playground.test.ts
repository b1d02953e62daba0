import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import {
  brokenRules,
  desk,
  deskAndPhone,
  everyLook,
  type Look,
  openConsole,
  typeLogIn,
} from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { inTurn, refuse, respond, stallAfter } from '../../support/upstream/behaviours.ts'
import { thinkAndReply } from '../../support/upstream/playground-model.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const stated = [
  'Two pauses:',
  '',
  '```python',
  'def pause(n):  # seconds',
  '    return 2 ** n',
  '```',
  '',
  'which add up to \\(2^n - 1\\), and cost $5 to $10.',
].join('\n')

interface SentMessage {
  readonly role: string
  readonly content: unknown
}

let gateway: Tollgate
let operator: Operator
let upstream: Upstream
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: readonly string[]

const box = () => page.getByRole('textbox', { name: 'Write a message' })
const replies = (model: string): Locator => page.getByRole('article', { name: `Response from ${model}` })
const sentMessages = () => upstream.calls.at(-1)?.json['messages'] as readonly SentMessage[]

async function send(text: string): Promise<void> {
  await box().fill(text)
  await box().press('Enter')
}

async function choose(field: string, model: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: model, exact: true }).click()
}

/** A response in every look, other states in two. */
// The guards around an open menu take the focus only to hand it on, which no rule can see.
const broken = (looks: readonly Look[] = deskAndPhone) =>
  brokenRules(page, looks, '[data-base-ui-focus-guard]')

/** The price shown is the charge of the newest row, in currency. */
async function expectPriced(reply: Locator, rows: number): Promise<void> {
  const { quota } = await operator.consumption(rows)
  await reply.getByText(`$${(quota / 500_000).toFixed(6)}`).waitFor()
}

describe.skipIf(!hasChromium())('the playground in a browser', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.on(
      'gpt-4o',
      thinkAndReply('I count the pauses.', stated, { usage: { promptTokens: 1000, completionTokens: 200 } }),
    )
    upstream.on('gpt-4o-mini', respond({ text: 'Brief.', usage: { promptTokens: 700, completionTokens: 9 } }))
    upstream.on('gpt-4.1', stallAfter(3, { text: 'One two three four.' }))
    upstream.on(
      'o1',
      inTurn(refuse(400, { message: 'Only a temperature of 1 works.' }), respond({ text: 'Now it works.' })),
    )
    gateway = await startTollgate({ env: { CRITICAL_RATE_LIMIT: '1000' } })
    operator = await operate(gateway.url)
    const models = 'gpt-4o,gpt-4o-mini,gpt-4.1,o1'
    await operator.addChannel({ name: 'Main upstream', base_url: upstream.url, models })
    ;({ browser, context, page, complaints } = await openConsole(gateway.url, {
      path: '/playground',
      permissions: ['clipboard-read', 'clipboard-write'],
    }))
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await upstream?.stop()
  })

  it('opens with two sample messages, and starts from the usual settings', async () => {
    await page.getByText('Hello! What can I do here?').waitFor()
    await page.getByText('These two messages are only a sample').waitFor()
    await page
      .getByRole('combobox', { name: 'Model' })
      .filter({ hasText: /^gpt-4o-mini$/ })
      .waitFor()
    expect(await broken()).toEqual([])
    await page.getByRole('button', { name: /^Compare HTTP/ }).click()
    expect(await box().inputValue()).toStartWith('Compare HTTP/1.1')
  })

  it('streams a response with its reasoning apart, code in colours, formulas and its price', async () => {
    await choose('Model', 'gpt-4o')
    await send('How long are the pauses?')
    const reply = replies('gpt-4o')
    await reply.locator('.hljs-keyword', { hasText: 'def' }).waitFor()
    await reply.locator('.katex').first().waitFor()
    await reply.getByText('and cost $5 to $10.').waitFor()
    await reply.getByText('1,000 in, 200 out').waitFor()
    await expectPriced(reply, 1)
    expect(await reply.getByText('I count the pauses.').isVisible()).toBe(false)
    await reply.getByText('Reasoning').click()
    await reply.getByText('I count the pauses.').waitFor()
    await reply.getByRole('button', { name: 'Copy code' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'def pause(n):  # seconds\n    return 2 ** n',
    )
    await page.mouse.move(0, 0)
    expect(upstream.calls.at(-1)?.json).toMatchObject({
      stream: true,
      temperature: 0,
      messages: [
        { role: 'system', content: 'You are a helpful assistant.' },
        { role: 'user', content: 'How long are the pauses?' },
      ],
    })
    expect(await broken(everyLook)).toEqual([])
  })

  it('copies the call as a command that runs, and as code for the SDK', async () => {
    const { key } = await operator.addKey({ name: 'for the terminal' })
    await box().fill("It's the next question: $HOME?")
    await page.getByRole('button', { name: 'Copy code' }).first().click()
    await page.getByRole('menuitem', { name: 'Copy as curl' }).waitFor()
    expect(await broken(desk)).toEqual([])
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
    await page.getByText('Code copied to clipboard. Put your key into TOLLGATE_API_KEY.').waitFor()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    const shell = Bun.spawn(['sh', '-c', command], {
      env: { PATH: process.env.PATH ?? '', TOLLGATE_API_KEY: key },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    expect(await new Response(shell.stdout).text()).toEndWith('data: [DONE]\n\n')
    expect(sentMessages().at(-1)).toEqual({ role: 'user', content: "It's the next question: $HOME?" })
    for (const [name, words] of [
      ['Copy as Python (OpenAI SDK)', `base_url="${gateway.url}/v1"`],
      ['Copy as TypeScript (OpenAI SDK)', `baseURL: '${gateway.url}/v1'`],
    ] as const) {
      await page.getByRole('button', { name: 'Copy code' }).first().click()
      await page.getByRole('menuitem', { name }).click()
      const copied = await until(async () => {
        const text = await page.evaluate(() => navigator.clipboard.readText())
        return text.includes(words) ? text : undefined
      })
      expect(copied).toContain("It's the next question")
    }
    await box().fill('')
  })

  it('is edited: what followed is forgotten', async () => {
    const question = page.getByRole('article', { name: 'You' })
    await question.hover()
    await question.getByRole('button', { name: 'Edit and send again' }).click()
    await page.getByRole('textbox', { name: 'Edit and send again' }).fill('And in all?')
    await page.keyboard.press('Enter')
    await page.getByText('And in all?').waitFor()
    await replies('gpt-4o').getByText('1,000 in, 200 out').waitFor()
    expect(await replies('gpt-4o').count()).toBe(1)
    expect(sentMessages().map(({ content }) => content)).toEqual([
      'You are a helpful assistant.',
      'And in all?',
    ])
    await expectPriced(replies('gpt-4o'), 3)
  })

  it('sends images that were chosen, pasted or dropped, and says what it does not take', async () => {
    await choose('Model', 'gpt-4o-mini')
    const picker = page.locator('input[type=file]')
    await picker.setInputFiles({ name: 'chosen.png', mimeType: 'image/png', buffer: picture })
    await page.getByRole('img', { name: 'chosen.png' }).waitFor()
    for (const [name, type] of [
      ['pasted.png', 'paste'],
      ['dropped.png', 'drop'],
    ] as const) {
      // Other bytes at the end make another picture; a reader of PNG ignores them.
      const bytes = [...picture, name.length]
      await box().evaluate(
        (target, [fileName, eventType, content]) => {
          const data = new DataTransfer()
          data.items.add(new File([new Uint8Array(content)], fileName, { type: 'image/png' }))
          const how = { bubbles: true, cancelable: true }
          target.dispatchEvent(
            eventType === 'paste'
              ? new ClipboardEvent('paste', { ...how, clipboardData: data })
              : new DragEvent('drop', { ...how, dataTransfer: data }),
          )
        },
        [name, type, bytes] as const,
      )
      await page.getByRole('img', { name }).waitFor()
    }
    await box().evaluate((target) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(5_000_001)], 'large.png', { type: 'image/png' }))
      target.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
      )
    })
    await page.getByText('Images can be up to 5 MB each.').waitFor()
    await picker.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: picture })
    await page.getByText('Only PNG, JPEG, WebP and GIF images can be attached.').waitFor()
    await page.getByRole('button', { name: 'Remove dropped.png' }).click()
    expect(await broken(desk)).toEqual([])
    await send('What is this?')
    await replies('gpt-4o-mini').getByText('Brief.').waitFor()
    const content = sentMessages().at(-1)?.content as readonly { type: string; image_url?: { url: string } }[]
    expect(content.map(({ type }) => type)).toEqual(['text', 'image_url', 'image_url'])
    expect(content[1]?.image_url?.url).toBe(`data:image/png;base64,${picture.toString('base64')}`)
    await expectPriced(replies('gpt-4o-mini'), 4)
  })

  it('clears the context: what was said stays on screen and is not sent', async () => {
    await page.getByRole('button', { name: 'Clear context' }).click()
    await page.getByText('Context cleared').waitFor()
    await send('What did I say?')
    await replies('gpt-4o-mini').nth(1).getByText('Brief.').waitFor()
    expect(sentMessages()).toHaveLength(2)
  })

  it('stops, and charges what had come', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    await choose('Model', 'gpt-4.1')
    await send('Count.')
    await replies('gpt-4.1').getByText('One two three').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('You stopped this response.').waitFor()
    await until(() => upstream.calls.at(-1)?.abortedAt)
    await expectPriced(replies('gpt-4.1'), 6)
  })

  it('shows briefly why there is no response, and retries', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    await choose('Model', 'o1')
    await send('Does it work?')
    await page.getByText('Only a temperature of 1 works.').waitFor()
    await replies('o1').getByText('Not charged').waitFor()
    expect(await broken()).toEqual([])
    await replies('o1').getByRole('button', { name: 'Try again' }).click()
    await replies('o1').getByText('Now it works.').waitFor()
    await expectPriced(replies('o1'), 7)
    await replies('o1').getByRole('button', { name: 'Try again' }).click()
    await operator.consumption(8)
  })

  it('asks two models the same, each with its own stop, retry and price', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    await choose('Model', 'gpt-4.1')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await choose('Model B', 'gpt-4o-mini')
    await send('Which is better?')
    const right = page.getByRole('region', { name: 'Model B' })
    await right.getByText('700 in, 9 out').waitFor()
    await expectPriced(right, 9)
    await page.getByRole('button', { name: 'Stop A' }).click()
    const left = page.getByRole('region', { name: 'Model A' })
    await left.getByText('You stopped this response.').waitFor()
    await expectPriced(left, 10)
    await right.getByRole('button', { name: 'Try again' }).click()
    await expectPriced(right, 11)
    expect(await broken()).toEqual([])
  })

  it('compares three models with what all cost, asks in a format, and shares the run as a link', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('button', { name: 'Compare with another model' }).click()
    await choose('Model A', 'gpt-4o')
    await choose('Model C', 'gpt-4o-mini')
    await choose('Response format', 'JSON by a schema')
    await page.getByRole('textbox', { name: 'JSON schema' }).fill('{')
    await page.getByText('Correct the JSON schema in the settings.').waitFor()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'JSON schema' }).fill('{"type":"object"}')
    await box().fill('Three at once')
    await page.getByText(/^About \d+ tokens · \$\d+\.\d+ before the response$/).waitFor()
    await send('Three at once')
    const third = page.getByRole('region', { name: 'Model C' })
    await third.getByText(/× (cheaper|more expensive).*/).waitFor()
    await page
      .getByRole('region', { name: 'Model B' })
      .getByText('same answer')
      .waitFor({ state: 'detached' })
    await page.getByText('Last message').waitFor()
    expect(upstream.calls.at(-1)?.json['response_format']).toMatchObject({ type: 'json_schema' })
    expect(await broken()).toEqual([])
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByText('Link copied.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const visit = await context.newPage()
    await visit.goto(link)
    await visit.getByRole('region', { name: 'Model C' }).getByText('Three at once').waitFor()
    expect(new URL(visit.url()).hash).toBe('')
    // A tab that closes at once takes along what its browser has not written yet.
    await until(async () => (await visit.evaluate(countStored)) === 6 || undefined)
    await visit.close()
    await page.getByRole('button', { name: 'Remove column C' }).click()
    await choose('Response format', 'Text')
  })

  it('restores conversations and the draft after a reload, and while the server is down', async () => {
    await box().fill('Not sent yet')
    await page.locator('input[type=file]').setInputFiles({
      name: 'kept.png',
      mimeType: 'image/png',
      buffer: picture,
    })
    await page.getByRole('img', { name: 'kept.png' }).waitFor()
    await gateway.kill('SIGKILL')
    await page.goto(`${gateway.url}/playground`).catch(() => undefined)
    await gateway.start()
    // The browser's page for an absent server loads again by itself, at times into the way of this visit.
    await until(() =>
      page.goto(`${gateway.url}/playground`).then(
        () => true,
        () => undefined,
      ),
    )
    await page.getByRole('region', { name: 'Model B' }).getByText('700 in, 9 out').waitFor()
    expect(await box().inputValue()).toBe('Not sent yet')
    await page.getByRole('img', { name: 'kept.png' }).waitFor()
  })

  it('opens, renames and deletes conversations', async () => {
    await page.getByRole('tab', { name: 'Conversations' }).click()
    const list = page.getByRole('tabpanel', { name: 'Conversations' })
    // The comparison of three, and its shared copy, are among them.
    await until(async () => (await list.getByRole('listitem').count()) === 6 || undefined)
    expect(await broken(desk)).toEqual([])
    await list.getByRole('button', { name: /^Does it work\?/ }).click()
    await replies('o1').first().waitFor()
    await list.getByRole('button', { name: 'More for Does it work?' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name of the conversation' }).fill('A test of o1')
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: /^A test of o1/ }).waitFor()
    await list.getByRole('button', { name: 'More for Count.' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const stored = await page.evaluate(countStored)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete conversation' }).click()
    await list.getByRole('button', { name: /^Count\./ }).waitFor({ state: 'detached' })
    await until(async () => (await page.evaluate(countStored)) < stored || undefined)
    await page.reload()
    await page.getByRole('tab', { name: 'Conversations' }).click()
    await list.getByRole('button', { name: /^A test of o1/ }).waitFor()
    expect(await list.getByRole('listitem').count()).toBe(5)
  })

  it('shows its panel in a sheet on a phone, and one of two models at a time', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Show or hide the panel' }).click()
    const sheet = page.getByRole('dialog', { name: 'Settings and conversations' })
    await sheet.getByRole('combobox', { name: 'Model A' }).waitFor()
    expect(await broken([[390, 'dark']])).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await sheet.getByRole('tab', { name: 'Conversations' }).click()
    await sheet.getByRole('button', { name: /^Which is better/ }).click()
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'B gpt-4o-mini' }).click()
    await page.getByRole('region', { name: 'Model B' }).getByText('700 in, 9 out').waitFor()
    expect(await page.getByRole('region', { name: 'Model A' }).isVisible()).toBe(false)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('frames the first chat client when no position is given', async () => {
    const chats = [{ First: 'https://chat.invalid/?key={key}' }, { Second: 'https://second.invalid/' }]
    await operator.option('Chats', JSON.stringify(chats))
    await page.route('https://chat.invalid/**', (route) => route.fulfill({ body: 'chat client' }))
    await page.goto(`${gateway.url}/chat`)
    await page.getByText('Send your key to https://chat.invalid?').waitFor()
    expect(await broken()).toEqual([])
    expect(await page.locator('iframe').count()).toBe(0)
    await page.getByRole('button', { name: 'Send my key' }).click()
    const frame = page.locator('iframe[title="First"]')
    await frame.waitFor()
    expect(await frame.getAttribute('src')).toMatch(/^https:\/\/chat\.invalid\/\?key=sk-\w{48}$/)
  })

  it('says that the login is over, and goes on after the next one', async () => {
    await page.goto(`${gateway.url}/playground`)
    await page.getByRole('region', { name: 'Model B' }).waitFor()
    await page.getByRole('button', { name: 'New chat' }).click()
    await context.clearCookies()
    await send('Still there?')
    await page.getByText('Not logged in or login expired, please log in again').first().waitFor()
    await page.getByRole('link', { name: 'Log in' }).first().click()
    await typeLogIn(page)
    await page.waitForURL((url) => url.pathname === '/playground')
    const right = page.getByRole('region', { name: 'Model B' })
    await right.getByRole('button', { name: 'Try again' }).click()
    await right.getByText('700 in, 9 out').waitFor()
  })

  it('met no error in the browser on its way', () => {
    const expected = /ERR_CONNECTION_(REFUSED|RESET)|status of 40[01]/
    expect(complaints.filter((complaint) => !expected.test(complaint))).toEqual([])
  })
})

/** Counts the conversations that the browser has written down; runs in the page. */
async function countStored(): Promise<number> {
  const [{ name = '' } = {}] = await indexedDB.databases()
  const opening = indexedDB.open(name)
  await new Promise((resolve) => opening.addEventListener('success', resolve))
  const counting = opening.result.transaction('conversations').objectStore('conversations').count()
  await new Promise((resolve) => counting.addEventListener('success', resolve))
  opening.result.close()
  return counting.result
}
