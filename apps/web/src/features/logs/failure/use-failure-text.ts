import { type LogEntry, type LogOther, listSeparators } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { localList } from '../../../i18n/local-list.ts'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { formatQuota } from '../../../lib/format/format.ts'
import { type FailureReason, failureReasonOf } from './failure-reasons.ts'

/** Returns a function that explains a failure in the reader's language; else it returns the error that the caller received. */
export function useFailureText(): (entry: LogEntry, other: LogOther) => string {
  const { t } = useTranslation('logs')
  const sentenceOf = useSentence()
  return (entry, other) => {
    const reason = failureReasonOf(other)
    const sentence = reason && sentenceOf(reason, entry, other.error?.params ?? {}, other.error)
    return sentence ?? (entry.content || t('entry.noContent'))
  }
}

/** Rows have the types of channels in a row, as English enumerates them. */
function typesOf({ types }: Params): string {
  return localList(String(types).split(listSeparators.en))
}

type Params = NonNullable<NonNullable<LogOther['error']>['params']>

function useSentence() {
  const { t } = useTranslation('logs')
  const money = useMoneyDisplay()
  return (reason: FailureReason, entry: LogEntry, params: Params, error: LogOther['error']) => {
    const { balance, needed, param, group = entry.group, channel = '?' } = params
    if (reason === 'insufficient_user_quota' || reason === 'insufficient_token_quota') {
      // Rows of older versions do not have the figures.
      if (typeof balance !== 'number' || typeof needed !== 'number') return undefined
      const amounts = { balance: formatQuota(balance, money), needed: formatQuota(needed, money) }
      return t(`failure.${reason}`, amounts)
    }
    if (reason === 'invalid_request' && param !== undefined) return t('failure.invalid_field', { param })
    const { code, status } = { code: '', status: 0, ...error }
    const facts = { ...params, ...('types' in params && { types: typesOf(params) }) }
    return t(`failure.${reason}`, { model: entry.model_name, code, status, ...facts, group, channel })
  }
}
