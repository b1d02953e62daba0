import { roles } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import type { ListFilter } from '../../components/list/index.ts'
import { groupChoicesQuery } from './api.ts'

const states = ['active', 'banned', 'deleted'] as const

/** What narrows the list beside its search. */
export function useUserFilters(): readonly ListFilter[] {
  const { t } = useTranslation('users')
  const ranks = Object.entries(roles) as [keyof typeof roles, number][]
  return [
    {
      name: 'group',
      label: t('column.group'),
      placeholder: t('filter.chooseGroup'),
      choices: groupChoicesQuery,
    },
    {
      name: 'role',
      label: t('column.role'),
      placeholder: t('filter.chooseRole'),
      choices: ranks.map(([name, role]) => ({ value: String(role), label: t(`role.${name}`) })),
    },
    {
      name: 'status',
      label: t('column.status'),
      placeholder: t('filter.chooseStatus'),
      choices: states.map((state) => ({ value: state, label: t(`state.${state}`) })),
    },
  ]
}
