import { Link } from '@tanstack/react-router'
import { KeyRound, Plus, SearchX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { useServerAddress } from '../../lib/status.ts'
import { looksLikePartOfKey } from './keys.ts'
import type { TokenFilter, TokenList } from './use-token-list.ts'

export interface NoTokensProps {
  readonly list: TokenList
  readonly filter: TokenFilter
  readonly onShow: (filter: TokenFilter) => void
}

/** No rows: because there are none yet, because nothing matches, or because the list ended on the page before. */
export function NoTokens({ list, filter, onShow }: NoTokensProps) {
  const { t } = useTranslation('tokens')
  const address = useServerAddress()
  if (list.page > 1) {
    return (
      <EmptyState
        icon={SearchX}
        title={t('empty.end')}
        action={
          <Button onClick={() => onShow({ ...filter, page: undefined })}>{t('empty.firstPage')}</Button>
        }
      />
    )
  }
  if (list.searching) {
    return (
      <EmptyState
        icon={SearchX}
        title={t('empty.noMatch')}
        action={<Button onClick={() => onShow({})}>{t('empty.clearSearch')}</Button>}
      >
        {t(looksLikePartOfKey(filter.keyword ?? '') ? 'empty.partOfKey' : 'empty.noMatchHint')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={KeyRound}
      title={t('empty.title')}
      action={
        <Link to="/token/add" className={buttonClass('primary')}>
          <Plus className="size-3.5" aria-hidden />
          {t('empty.action')}
        </Link>
      }
    >
      <p>{t('empty.description')}</p>
      <p className="mt-1 font-mono text-xs">{address}/v1</p>
    </EmptyState>
  )
}
