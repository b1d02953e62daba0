import { logTypes } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import {
  asTyped,
  channelChoices,
  type ListFilter,
  numberChoices,
  typedNumber,
} from '../../components/list/index.ts'
import { groupChoicesFor, modelChoicesQuery, tokenChoicesQuery } from './api.ts'
import { reasonNames } from './failure/failure-reasons.ts'
import { modelPattern } from './log-filter.ts'

/**
 * Returns the filters of the log beside its times; channel and person are for administrators alone. A reason is chosen where failures
 * are listed, and has a chip while it narrows.
 */
export function useLogFilters(admin: boolean, withReason: boolean): readonly ListFilter[] {
  const { t } = useTranslation('logs')
  const everybody: readonly ListFilter[] = [
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
      name: 'user',
      label: t('filter.user'),
      placeholder: t('filter.typeUser'),
      choices: [],
      typed: asTyped,
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
  return [...(withReason ? reasons : []), ...everybody, ...(admin ? administrators : [])]
}
