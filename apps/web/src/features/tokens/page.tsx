import type { QueryClient } from '@tanstack/react-query'
import { getRouteApi, Outlet, useNavigate } from '@tanstack/react-router'
import { type Token, tokenFields, tokenStatuses } from '@tollgate/api'
import { KeyRound, Plus } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  ListPage,
  preloadList,
  useFieldColumns,
  useList,
  useResourceActions,
  useResourceCopy,
  useStatusFilter,
} from '../../components/list/index.ts'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { useServerAddress } from '../../lib/api/status.ts'
import { useHotkey } from '../../lib/browser/hotkeys.ts'
import { type Command, useCommands } from '../../lib/commands.ts'
import { tokenApi, tokensSource, withFullKeys } from './api.ts'
import { ExpiryCell, GroupCell, KeyCell, LastUsedCell, RemainingCell, StatusCell } from './cells.tsx'
import { keyLines, looksLikePartOfKey, searchTermsOf } from './keys.ts'
import { RowActions } from './row-actions.tsx'
import type { TokensSearch } from './search.ts'
import { KeysDialog } from './setup/lazy-keys-dialog.ts'
import { stateOf } from './token-state.ts'

const route = getRouteApi('/console/token')

/** Keys are spent while one looks at them. */
const refreshMs = 30_000

/** Cells that say more than the value of their field. */
const cells = {
  status: (token: Token) => <StatusCell token={token} />,
  group: (token: Token) => <GroupCell token={token} />,
  key: (token: Token) => <KeyCell token={token} />,
  remain_quota: (token: Token, isTight: boolean) => <RemainingCell token={token} single={isTight} />,
  accessed_time: (token: Token) => <LastUsedCell token={token} />,
  expired_time: (token: Token) => <ExpiryCell token={token} />,
}

function listOf(search: TokensSearch) {
  const { keyword, token, status } = search
  return [tokensSource({ keyword, token, status }), search, { refreshMs, defaultPageSize: 50 }] as const
}

export function preload(client: QueryClient, search: TokensSearch): void {
  preloadList(client, ...listOf(search))
}

/** The own keys: what each may do, what it has spent, and everything that can be done with it. */
export function TokensPage(): ReactNode {
  const { t } = useTranslation('tokens')
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/token' })
  const [used, setUsed] = useState<Token>()
  const { keyword, token } = search
  const list = useList(...listOf(search))
  const columns = useFieldColumns<Token>({
    fields: tokenFields,
    label: useCallback((name) => t(`field.${name as 'name'}`), [t]),
    cells,
    actions: useCallback((token) => <RowActions token={token} onShowUse={setUsed} />, []),
  })
  const add = () => void navigate({ to: '/token/add', search: true })
  const edit = ({ id }: Token) =>
    void navigate({ to: '/token/edit/$id', params: { id: String(id) }, search: true })
  useHotkey('c', t('create.title'), add)
  useCommands(useTokenCommands(list.rows, edit))

  return (
    <ListPage<Token, TokensSearch>
      name="tokens"
      title={t('title')}
      actions={
        <LinkButton to="/token/add" search={true} variant="primary" icon={Plus}>
          {t('create.title')}
        </LinkButton>
      }
      notice={<Notice tone="warn">{t('warning')}</Notice>}
      columns={columns}
      list={list}
      search={search}
      onSearch={(next, options) => void navigate({ to: '/token', search: next, ...options })}
      searchBox={{
        placeholder: t('filter.search'),
        value: token ?? keyword ?? '',
        toSearch: (text) => ({ keyword: undefined, token: undefined, ...searchTermsOf(text) }),
      }}
      filters={[useStatusFilter('tokens', tokenStatuses)]}
      empty={{
        hint: t(looksLikePartOfKey(keyword ?? '') ? 'empty.partOfKey' : 'empty.noMatchHint'),
        first: <NoTokens />,
      }}
      onOpen={edit}
      isMuted={(row) => stateOf(row) !== 'enabled'}
      bulk={{
        actions: Object.values(useResourceActions(tokenApi, 'tokens')),
        nameOf: ({ name }) => name,
        copy: useResourceCopy('tokens', async (rows: readonly Token[]) => keyLines(await withFullKeys(rows))),
      }}
    >
      <Suspense>{used && <KeysDialog tokens={[used]} onClose={() => setUsed(undefined)} />}</Suspense>
      <Outlet />
    </ListPage>
  )
}

function NoTokens() {
  const { t } = useTranslation('tokens')
  const address = useServerAddress()
  return (
    <EmptyState
      icon={KeyRound}
      title={t('empty.title')}
      action={
        <LinkButton to="/token/add" variant="primary" icon={Plus}>
          {t('empty.action')}
        </LinkButton>
      }
    >
      <p>{t('empty.description')}</p>
      <p className="mt-1 font-mono text-xs">{address}/v1</p>
    </EmptyState>
  )
}

/** The palette finds every key on screen by its name. */
function useTokenCommands(
  rows: readonly Token[] | undefined,
  edit: (token: Token) => void,
): readonly Command[] {
  const { t } = useTranslation('tokens')
  const group = t('title')
  return (rows ?? []).map((token) => ({
    id: `token-${token.id}`,
    title: token.name,
    group,
    icon: KeyRound,
    run: () => edit(token),
  }))
}
