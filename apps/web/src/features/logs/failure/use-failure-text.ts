import type { LogEntry, LogOther } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { formatQuota } from '../../../lib/format.ts'
import { useMoneyDisplay } from '../../../lib/status.ts'
import { failureReasonOf } from './failure-reasons.ts'

/** Why a call failed, in the reader's language; what the caller was told where the row cannot say it. */
export function useFailureText(): (entry: LogEntry, other: LogOther) => string {
  const { t } = useTranslation('logs')
  const money = useMoneyDisplay()
  return (entry, other) => {
    const reason = failureReasonOf(other)
    const { code = '', status = 0, params = {} } = other.error ?? {}
    const { balance, needed, param } = params
    const told = entry.content || t('entry.noContent')
    if (reason === undefined) return told
    if (reason === 'insufficient_user_quota' || reason === 'insufficient_token_quota') {
      if (typeof balance !== 'number' || typeof needed !== 'number') return told
      return t(`failure.${reason}`, {
        balance: formatQuota(balance, money),
        needed: formatQuota(needed, money),
      })
    }
    if (reason === 'invalid_request' && param !== undefined) return t('failure.invalid_field', { param })
    return t(`failure.${reason}`, {
      model: entry.model_name,
      code,
      status,
      group: params['group'] ?? entry.group,
      channel: params['channel'] ?? '?',
    })
  }
}
