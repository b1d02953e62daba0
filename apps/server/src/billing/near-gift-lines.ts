import { movesMoney, settingKeys } from '@tollgate/api/settings'
import type { AdministratorGifts, GiftCause, NearGift } from '../store/money/audit/near-gifts.ts'

/** The options whose changes an audit lists by administrator. */
export const moneyOptions: readonly string[] = settingKeys.filter(movesMoney)

const ways: Readonly<Record<GiftCause, (giver: string) => string>> = {
  'admin-change': (giver) => `changes of the balance by ${giver}`,
  goodwill: (giver) => `goodwill credits by ${giver}`,
  'top-up': (giver) => `orders completed by ${giver}`,
  redemption: () => 'redemption codes that administrators made or changed',
  initial: () => 'gifts for a new account since they changed options',
  invitation: () => 'gifts for an invitation since they changed options',
  transfer: () => 'transfers of invitation earnings since they changed options',
}

/** Sentences on what administrators' hands and settings gave to accounts near them. They are no differences: the books balance. */
export function nearGiftLines(found: readonly AdministratorGifts[]): string[] {
  return found.flatMap(({ gifts, options, ...administrator }) => [
    ...optionLine(administrator, options),
    ...gifts.map((gift) => giftLine(administrator, gift)),
  ])
}

type Administrator = Pick<AdministratorGifts, 'id' | 'username'>

function optionLine({ id, username }: Administrator, options: AdministratorGifts['options']): string[] {
  if (options.length === 0) return []
  const changed = options.map(({ name, times }) => `${name} (${times})`).join(', ')
  return [`Administrator ${username} (id ${id}) changed options that move money: ${changed}.`]
}

function giftLine({ id, username }: Administrator, gift: NearGift): string {
  const relation = gift.isOpened ? 'which they opened' : 'near them'
  const account =
    gift.userId === id
      ? 'their own account'
      : `the account ${gift.username} (id ${gift.userId}), ${relation},`
  const way = ways[gift.cause](gift.giver)
  return `Administrator ${username} (id ${id}): ${account} got quota ${gift.quota} by ${gift.times} ${way}.`
}
