import type { QueryClient } from '@tanstack/react-query'
import { getRouteApi, Outlet, useNavigate } from '@tanstack/react-router'
import { type ListedUser, userFilters, userStatuses } from '@tollgate/api'
import { Mail, UserRoundPlus, Users } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { filtersIn, ListPage, preloadList, useList } from '../../components/list/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { useHotkey } from '../../lib/browser/hotkeys.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { useUser } from '../../lib/session/session.ts'
import { usersSource } from './api.ts'
import { useUserColumns } from './columns.tsx'
import type { UsersSearch } from './search.ts'
import { useBulkActions } from './use-bulk-actions.ts'
import { useUserFilters } from './use-user-filters.ts'
import { mayEdit, stateOf } from './user-state.ts'

const InviteSheet = lazyComponent(() => import('./invite/invite-sheet.tsx'), 'InviteSheet')
const ManyDialog = lazyComponent(() => import('./many/many-dialog.tsx'), 'ManyDialog')

const route = getRouteApi('/console/user')

/** Balances move while one looks at them. */
const refreshMs = 30_000

function listOf(search: UsersSearch) {
  return [usersSource(search), search, { refreshMs, defaultPageSize: 50 }] as const
}

export function preload(client: QueryClient, search: UsersSearch): void {
  preloadList(client, ...listOf(search))
}

/** Everybody with an account: what they have and spent, and what can be done to them. */
export function UsersPage(): ReactNode {
  const { t } = useTranslation('users')
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/user' })
  const actor = useUser()
  const list = useList(...listOf(search))
  const add = () => void navigate({ to: '/user/add', search: true })
  function edit(user: ListedUser): void {
    if (mayEdit(actor, user))
      void navigate({ to: '/user/edit/$id', params: { id: String(user.id) }, search: true })
  }
  useHotkey('c', t('create.title'), add)
  const [many, setMany] = useState<readonly number[]>()
  const [isInviting, setInviting] = useState(false)

  return (
    <ListPage<ListedUser, UsersSearch>
      name="users"
      title={t('title')}
      actions={
        <>
          <Button icon={Mail} onClick={() => setInviting(true)}>
            {t('invite.title')}
          </Button>
          <AddLink />
        </>
      }
      columns={useUserColumns()}
      list={list}
      search={search}
      onSearch={(next, options) => void navigate({ to: '/user', search: next, ...options })}
      searchBox={{ placeholder: t('filter.search'), name: 'keyword' }}
      filters={useUserFilters()}
      empty={{ hint: t('empty.noMatchHint'), first: <NoUsers /> }}
      onOpen={edit}
      isMuted={(user) => stateOf(user) !== 'active'}
      bulk={{ actions: useBulkActions(setMany), nameOf: ({ username }) => username }}
    >
      <Outlet />
      <Suspense>
        {isInviting && <InviteSheet onClose={() => setInviting(false)} />}
        {many && (
          <ManyDialog
            ids={many}
            matching={matchingOf(search, list.total ?? 0, many.length)}
            onClose={() => setMany(undefined)}
          />
        )}
      </Suspense>
    </ListPage>
  )
}

/** All users of the list's filter, where they are more than the chosen ones. Nothing changes deleted ones. */
function matchingOf({ keyword, status, ...search }: UsersSearch, total: number, chosen: number) {
  if (total <= chosen || status === 'deleted') return undefined
  const { group, role } = filtersIn(userFilters, search) as {
    readonly group?: string
    readonly role?: 1 | 10
  }
  return {
    total,
    filter: {
      keyword,
      group,
      role,
      ...(status !== undefined && { status: userStatuses[status === 'banned' ? 'banned' : 'enabled'] }),
    },
  }
}

function AddLink() {
  const { t } = useTranslation('users')
  return (
    <LinkButton to="/user/add" search={true} variant="primary" icon={UserRoundPlus}>
      {t('create.title')}
    </LinkButton>
  )
}

/** Shows an empty list, which only occurs when it changed meanwhile: the viewer is a user. */
function NoUsers() {
  const { t } = useTranslation('users')
  return (
    <EmptyState icon={Users} title={t('empty.title')} action={<AddLink />}>
      {t('empty.description')}
    </EmptyState>
  )
}
