import {
  type CallArguments,
  type ChargeLinkRow,
  calls,
  chargeTerms,
  type LinkedChargesWire,
} from '@tollgate/api'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { LogRow } from '../../../store/log/index/log-row.ts'
import type { ChargeLink } from '../../../store/money/charge-links.ts'
import type { ChargeLine } from '../../../store/money/statement.ts'
import type { ChargeLinks, LinkedCharges, LinkOrder } from '../../../wallet/explained/charge-links.ts'
import type { Goodwill } from '../../../wallet/explained/goodwill.ts'
import { type ConsoleRoute, route } from '../route.ts'

interface Dependencies {
  readonly links: ChargeLinks
  readonly goodwill: Goodwill
  readonly settings: SettingsReader
}

/** Links that show charges without an account, and credits of good will for single calls. */
export function explainedRoutes({ links, goodwill, settings }: Dependencies): ConsoleRoute[] {
  const toWire = (link: ChargeLink): ChargeLinkRow => ({
    id: link.id,
    log_id: link.logId,
    starts_at: link.startsAt,
    created_at: link.createdAt,
    expires_at: link.expiresAt,
    path: `/charge/${links.tokenOf(link)}`,
  })
  return [
    route(calls.chargeLinks.createSelf, async ({ body }, { caller }) =>
      toWire(await links.createOwn(caller.userId, orderOf(body))),
    ),
    route(calls.chargeLinks.listSelf, async (_, { caller }) =>
      (await links.listOwn(caller.userId)).map(toWire),
    ),
    route(calls.chargeLinks.revokeSelf, ({ params }, { caller }) =>
      links.revokeOwn(caller.userId, params.id),
    ),
    route(calls.chargeLinks.create, async ({ body }, { actor }) =>
      toWire(await links.create(actor, body.user_id, orderOf(body))),
    ),
    route(calls.chargeLinks.list, async ({ query }, { actor }) =>
      (await links.list(actor, query.user_id ?? 0)).map(toWire),
    ),
    route(calls.chargeLinks.revoke, ({ params }, { actor }) => links.revoke(actor, params.id)),
    route(calls.chargeLinks.open, async ({ params }) =>
      toContent(await links.open(params.token), settings.current.QuotaPerUnit),
    ),
    route(calls.goodwill.give, async ({ body }, { actor }) => ({
      credited: await goodwill.give(actor, { logId: body.log_id, at: body.at }, body.amount),
    })),
    route(calls.goodwill.takeBack, async ({ body }, { actor }) => {
      await goodwill.takeBack(actor, body.log_id)
      return { credited: 0 }
    }),
  ]
}

type OrderBody = CallArguments<(typeof calls)['chargeLinks']['createSelf']>['body']

function orderOf({ log_id, at, day, time_zone, utc_offset, days }: OrderBody): LinkOrder {
  return { logId: log_id, at, day, timeZone: time_zone, utcOffset: utc_offset, days }
}

function toContent(content: LinkedCharges, quotaPerUnit: number): LinkedChargesWire {
  const { link } = content
  const common = { expires_at: link.expiresAt, quota_per_unit: quotaPerUnit }
  if ('row' in content) {
    const { row, corrected, credited } = content
    const since = {
      ...(corrected !== undefined && { corrected }),
      ...(credited !== undefined && { credited }),
    }
    return { ...common, charge: { ...chargeOf(row), ...since } }
  }
  const { byModel, byAccount } = content.breakdown
  const charges = { calls: sumOf(byModel, 'calls'), amount: sumOf(byModel, 'amount') }
  const day = { from: link.startsAt, end: link.endsAt, time_zone: link.timeZone, charges }
  const lines = { by_model: byModel.map(toLine), by_key: withRest(byAccount, charges) }
  return { ...common, day: { ...day, ...lines } }
}

/** A row without what says whose it is, and without what its owner does not see. */
function chargeOf(row: LogRow) {
  return {
    created_at: row.createdAt,
    model_name: row.model,
    token_name: row.tokenName,
    group: row.group,
    request_id: row.requestId,
    quota: row.quota,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    is_stream: row.isStream,
    terms: termsOf(row.other),
  }
}

/** Rows may have been imported: what is no terms is none. */
function termsOf(other: string) {
  try {
    return chargeTerms.safeParse(JSON.parse(other || '{}')).data ?? {}
  } catch {
    return {}
  }
}

function toLine({ of, name = '', calls, amount }: ChargeLine) {
  return { name: typeof of === 'string' ? of : name, calls, amount }
}

/** Calls without a key, or of one that is gone, are the last line. */
function withRest(lines: readonly ChargeLine[], total: { readonly calls: number; readonly amount: number }) {
  const rest = {
    name: '',
    calls: total.calls - sumOf(lines, 'calls'),
    amount: total.amount - sumOf(lines, 'amount'),
  }
  return rest.calls === 0 && rest.amount === 0 ? lines.map(toLine) : [...lines.map(toLine), rest]
}

function sumOf(lines: readonly ChargeLine[], of: 'calls' | 'amount'): number {
  return lines.reduce((sum, line) => sum + line[of], 0)
}
