import { logTypes } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import {
  asTyped,
  channelChoices,
  type ListFilter,
  labelledChoices,
  numberChoices,
  typedNumber,
} from '../../components/list/index.ts'
import { groupChoicesFor, modelChoicesQuery, tokenChoicesQuery } from './api.ts'
import { reasonNames } from './failure/failure-reasons.ts'
import { type LogFilter, modelPattern } from './log-filter.ts'

const logSorts = ['quota', 'duration'] as const

/**
 * What narrows the log beside its times; channels and person are for administrators alone. A reason is chosen where failures are listed,
 * and a key by its number where its figures stand: they have chips while they narrow.
 */
export function useLogFilters(
  admin: boolean,
  { reason, key }: Pick<LogFilter, 'reason' | 'key'>,
): readonly ListFilter[] {
  const { t } = useTranslation('logs')
  const everybody: readonly ListFilter[] = [
    {
      name: 'sort',
      label: t('filter.sort'),
      placeholder: t('filter.chooseSort'),
      choices: labelledChoices(logSorts, (sort) => t(`sort.${sort}`)),
    },
    {
      name: 'type',
      label: t('filter.type'),
      placeholder: t('filter.chooseType'),
      choices: numberChoices(logTypes, (type) => t(`type.${type}`)),
    },
    {
      name: 'model',
      label: t('filter.model'),
      placeholder: t('filter.chooseModel'),
      choices: modelChoicesQuery,
      typed: modelPattern,
      mono: true,
    },
    {
      name: 'token',
      label: t('filter.token'),
      placeholder: t('filter.chooseToken'),
      choices: tokenChoicesQuery,
      typed: asTyped,
    },
    {
      name: 'group',
      label: t('filter.group'),
      placeholder: t('filter.chooseGroup'),
      choices: groupChoicesFor({ admin }),
      typed: asTyped,
    },
  ]
  const administrators: readonly ListFilter[] = [
    {
      name: 'channel',
      label: t('filter.channel'),
      placeholder: t('filter.chooseChannel'),
      choices: channelChoices,
      typed: typedNumber,
    },
    {
      name: 'tried',
      label: t('filter.tried'),
      placeholder: t('filter.chooseChannel'),
      choices: channelChoices,
      typed: typedNumber,
    },
    {
      name: 'rescued',
      label: t('filter.rescued'),
      placeholder: t('filter.chooseRescued'),
      choices: [{ value: 'true', label: t('filter.rescuedOnly') }],
    },
    {
      name: 'user',
      label: t('filter.user'),
      placeholder: t('filter.typeUser'),
      choices: [],
      typed: asTyped,
    },
  ]
  const keys: readonly ListFilter[] = [
    {
      name: 'key',
      label: t('filter.key'),
      placeholder: t('filter.chooseKey'),
      choices: [],
      typed: typedNumber,
    },
  ]
  const reasons: readonly ListFilter[] = [
    {
      name: 'reason',
      label: t('filter.reason'),
      placeholder: t('filter.chooseReason'),
      choices: reasonNames.map((value) => ({ value, label: t(`reason.${value}`) })),
    },
  ]
  return [
    ...(reason === undefined ? [] : reasons),
    ...(key === undefined ? [] : keys),
    ...everybody,
    ...(admin ? administrators : []),
  ]
}
