import type { Locator, Page } from 'playwright-core'
import type { Look } from '../browser.ts'

/** A page after people have opened something on it: a sheet, a dialog, an error, another view. */
export interface OpenState {
  readonly name: string
  readonly path: string
  /** English by default. */
  readonly language?: 'zh'
  /** Acts of people on the page. */
  readonly act?: (page: Page) => Promise<void>
  /** Finds what is then visible. */
  readonly visible: (page: Page) => Locator
  /** A desk and a phone by default. */
  readonly looks?: readonly Look[]
}

/** Ids in the addresses of an installation. */
export interface StateIds {
  readonly userId: number
  readonly keyId: number
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const dialog = (name?: string | RegExp) => (page: Page) => page.getByRole('dialog', { ...(name && { name }) })

/** States of pages that nothing else opens in a browser. */
export function openStates({ userId, keyId }: StateIds): readonly OpenState[] {
  return [
    {
      name: 'new redemption codes',
      path: '/redemption/add',
      visible: dialog('Create codes'),
    },
    {
      name: 'redemption codes that are ready',
      path: '/redemption/add',
      act: press('Create code'),
      visible: dialog('Your code is ready'),
    },
    {
      name: 'a wallet in which no code was typed',
      path: '/topup',
      act: press('Redeem code'),
      visible: (page) => page.getByText('Please enter redemption code'),
    },
    {
      name: 'a wallet with orders and a cashier',
      path: '/topup',
      visible: (page) => page.getByRole('button', { name: 'Continue to payment' }),
    },
    {
      name: 'orders',
      path: '/orders',
      visible: (page) => page.getByRole('row').nth(2),
    },
    {
      name: 'the question before an order is completed',
      path: '/orders?status=pending',
      async act(page) {
        await press(/^Actions for order/)(page)
        await page.getByRole('menuitem', { name: 'Complete order' }).click()
      },
      visible: dialog(/^Add \$/),
      looks: [[1440, 'light']],
    },
    {
      name: 'orders in Chinese',
      path: '/orders',
      language: 'zh',
      visible: (page) => page.getByRole('heading', { name: '充值订单' }),
    },
    {
      name: 'the spend and the failures of a user',
      path: `/user/edit/${userId}`,
      visible: (page) => page.getByRole('region', { name: 'Results' }),
    },
    {
      name: 'the same in Chinese',
      path: `/user/edit/${userId}`,
      language: 'zh',
      visible: (page) => page.getByRole('region', { name: '调用结果' }),
    },
    {
      name: 'how the calls of a key ended',
      path: `/token/edit/${keyId}`,
      visible: (page) => page.getByRole('region', { name: 'Results' }),
      looks: [[1440, 'light']],
    },
  ]
}
