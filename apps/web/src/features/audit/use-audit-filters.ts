import { auditActions, auditTargetKinds } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { asTyped, type ListFilter, labelledChoices, typedNumber } from '../../components/list/index.ts'
import { isRoot, useUser } from '../../lib/session/session.ts'

/** Returns the filters of the log beside its times. Acts on options are visible to root alone. */
export function useAuditFilters(): readonly ListFilter[] {
  const { t } = useTranslation('audit')
  const root = isRoot(useUser())
  const actions = auditActions.filter((action) => root || !action.startsWith('option.'))
  const kinds = auditTargetKinds.filter((kind) => root || kind !== 'option')
  return [
    {
      name: 'actor',
      label: t('column.actor'),
      placeholder: t('filter.typeActor'),
      choices: [],
      typed: asTyped,
    },
    {
      name: 'action',
      label: t('column.action'),
      placeholder: t('filter.chooseAction'),
      choices: labelledChoices(actions, (action) => t(`action.${action}`)),
    },
    {
      name: 'kind',
      label: t('filter.kind'),
      placeholder: t('filter.chooseKind'),
      choices: labelledChoices(kinds, (kind) => t(`kind.${kind}`)),
    },
    {
      name: 'target',
      label: t('filter.targetId'),
      placeholder: t('filter.typeTargetId'),
      choices: [],
      typed: typedNumber,
    },
  ]
}
