import { channelResource } from '@tollgate/api'
import { splitKeys } from '../../../channels/routing/compile-channel.ts'
import { channelAccountTable, channelTable } from '../../../store/channels/channels.ts'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import { redemptionTable } from '../../../store/money/redemptions.ts'
import { topUpOrderTable } from '../../../store/money/top-up-orders.ts'
import type { Row } from '../../../store/program.ts'
import { taskTable } from '../../../store/work/tasks.ts'
import type { SourceChannel, SourceCode, SourceOrder, SourceRow, SourceTask } from '../import-source.ts'
import { idOf, left, readable } from './read-row.ts'
import type { SourceDatabase } from './source-database.ts'

const channels = channelTable.join(channelAccountTable)

/** The keys of a channel, one a line; `undefined` when they do not open. */
export function keysOf(
  { id, keysSealed }: { readonly id: number; readonly keysSealed: string },
  database: SourceDatabase,
): string | undefined {
  return database.opened(keysSealed, sealContexts.channelKeys(id))
}

export function readChannel(row: Row, database: SourceDatabase): SourceRow<SourceChannel> {
  return readable(row, channels, (channel) => {
    const keys = keysOf(channel, database)
    const texts = splitKeys(keys ?? '')
    const reason = 'disabled here until it is mended: its keys do not open with the secret'
    const { type: _type, name: _name, status: _status, ...fields } = channelResource.toBody(channel)
    return {
      changes: keys === undefined ? [{ reason, example: channel.name }] : [],
      value: {
        type: channel.type,
        name: channel.name,
        keys: keys ?? '',
        status: keys === undefined ? 'disabled' : channel.status,
        keyStates:
          keys === undefined
            ? []
            : channel.keyStates.map((state) => ({ ...state, text: texts[state.index] ?? '' })),
        ...(channel.statusReason !== null && { statusReason: channel.statusReason }),
        isAddressTrusted: channel.baseUrlTrusted,
        usedQuota: channel.usedQuota,
        createdAt: channel.createdAt,
        fields,
      },
    }
  })
}

export function readCode(row: Row, database: SourceDatabase): SourceRow<SourceCode> {
  return readable(row, redemptionTable, (code) => {
    if (code.deletedAt !== null) return left('it is deleted there', `${code.id} ${code.name}`)
    const key = database.opened(code.keySealed, sealContexts.redemptionCode(code.keyHash))
    if (!key) return left('it does not open with the secret', `${code.id} ${code.name}`)
    return {
      changes: [],
      value: {
        creator: idOf(code.creatorId),
        admin: idOf(code.adminId),
        key,
        name: code.name,
        status: code.status,
        quota: code.quota,
        createdAt: code.createdAt,
        redeemedAt: code.redeemedAt ?? 0,
        redeemer: idOf(code.usedUserId ?? 0),
      },
    }
  })
}

export function readOrder(row: Row): SourceRow<SourceOrder> {
  return readable(row, topUpOrderTable, ({ id: _, userId, giftInviterId, ...order }) => {
    const { paymentId, revision, giftQuota, moneyMinor, currency, ...others } = order
    const { refundedMinor, disputedMinor, handRefundedMinor, ...payment } = others
    const { settledReference, settledReason, ...fields } = payment
    const { refundedQuota, disputedQuota, reversal, providerTradeNo } = fields
    return {
      changes: [],
      value: {
        ...fields,
        owner: String(userId),
        moneyMinor,
        completedAt: order.completedAt ?? order.createdAt,
        payment: {
          ...{ currency, providerTradeNo, paymentId, refundedQuota, disputedQuota, reversal, revision },
          ...{ refundedMinor, disputedMinor, handRefundedMinor, settledReference, settledReason },
          giftInviter: idOf(giftInviterId),
          giftQuota,
        },
      },
    }
  })
}

/** Rows by which a task's key and hold are known. */
export interface TaskParts {
  /** Keys by the keyed hash there. */
  readonly keys: ReadonlyMap<string, string>
  /** Rows of `holds` by their ids: one for each account. */
  readonly holds: ReadonlyMap<string, readonly Row[]>
}

export function readTask(row: Row, { keys, holds }: TaskParts): SourceRow<SourceTask> {
  return readable(row, taskTable, ({ id: _, userId, tokenId, channelId, holdId, keyHash, ...task }) => {
    const held = holds.get(holdId) ?? []
    const [first] = held
    return {
      changes: [],
      value: {
        ...task,
        owner: String(userId),
        token: idOf(tokenId),
        channel: idOf(channelId),
        key: keys.get(keyHash) ?? '',
        hold: first && {
          amount: Number(first['amount']),
          createdAt: Number(first['created_at']),
          isOfToken: held.some((each) => each['account_kind'] === 'token'),
        },
      },
    }
  })
}
