import { getRouteApi, Outlet, useNavigate } from '@tanstack/react-router'
import { redemptionFields, redemptionStatuses, type WireRedemption } from '@tollgate/api'
import { Plus, Ticket } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import {
  ListPage,
  useFieldColumns,
  useList,
  useResourceActions,
  useResourceCopy,
  useStatusFilter,
} from '../../components/list/index.ts'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { Money } from '../../components/ui/money.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { useHotkey } from '../../lib/browser/hotkeys.ts'
import { redemptionApi, redemptionsSource } from './api.ts'
import { CodeCell, RedeemedCell, StatusCell } from './cells.tsx'
import { codeLines, stateOf } from './code-state.ts'
import { RowActions } from './row-actions.tsx'
import type { RedemptionsSearch } from './search.ts'

const route = getRouteApi('/console/redemption')

/** Cells that say more than the value of their field. */
const cells = {
  quota: ({ quota }: WireRedemption) => <Money quota={quota} />,
  status: (code: WireRedemption) => <StatusCell code={code} />,
  key: (code: WireRedemption) => <CodeCell code={code} />,
  redeemed_time: (code: WireRedemption) => <RedeemedCell code={code} />,
}

/** Codes that add balance: which are unused, which are redeemed, and by which user. */
export function RedemptionsPage(): ReactNode {
  const { t } = useTranslation('redemptions')
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/redemption' })
  const { keyword, status } = search
  const list = useList(redemptionsSource({ keyword, status }), search, { defaultPageSize: 50 })
  const columns = useFieldColumns<WireRedemption>({
    fields: redemptionFields,
    label: useCallback((name) => t(`field.${name as 'name'}`), [t]),
    cells,
    actions: useCallback((code) => <RowActions code={code} />, []),
  })
  useHotkey('c', t('create.title'), () => void navigate({ to: '/redemption/add', search: true }))

  return (
    <ListPage<WireRedemption, RedemptionsSearch>
      name="redemptions"
      title={t('title')}
      actions={<CreateLink />}
      columns={columns}
      list={list}
      search={search}
      onSearch={(next, options) => void navigate({ to: '/redemption', search: next, ...options })}
      searchBox={{ placeholder: t('filter.search'), name: 'keyword' }}
      filters={[useStatusFilter('redemptions', redemptionStatuses)]}
      empty={{
        hint: t('empty.noMatchHint'),
        first: (
          <EmptyState icon={Ticket} title={t('empty.title')} action={<CreateLink />}>
            {t('empty.description')}
          </EmptyState>
        ),
      }}
      onOpen={({ id }) =>
        void navigate({ to: '/redemption/edit/$id', params: { id: String(id) }, search: true })
      }
      isMuted={(code) => stateOf(code) !== 'unused'}
      bulk={{
        actions: Object.values(useResourceActions(redemptionApi, 'redemptions')),
        nameOf: ({ name }) => name,
        copy: useResourceCopy('redemptions', codeLines),
      }}
    >
      <Outlet />
    </ListPage>
  )
}

function CreateLink() {
  const { t } = useTranslation('redemptions')
  return (
    <LinkButton to="/redemption/add" search={true} variant="primary" icon={Plus}>
      {t('create.title')}
    </LinkButton>
  )
}
