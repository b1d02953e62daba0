import { useQuery } from '@tanstack/react-query'
import { KeyRound, MessagesSquare, ScrollText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { CodeBlock } from '../../components/ui/copy.tsx'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { accountQuery } from '../../lib/api/account.ts'
import { useServerAddress } from '../../lib/api/status.ts'
import type { LogFilter } from './log-filter.ts'

export interface NoRowsProps {
  readonly filter: LogFilter
  readonly onShow: (filter: LogFilter) => void
}

/** No rows in this stretch of time, or no call ever made. */
export function NoRows({ filter, onShow }: NoRowsProps) {
  const { t } = useTranslation('logs')
  const { data: self } = useQuery(accountQuery)
  if (!self || self.request_count === 0 || filter.range === '30d') return <FirstCall />
  return (
    <EmptyState
      icon={ScrollText}
      title={t('empty.quiet')}
      action={<Button onClick={() => onShow({ range: '30d' })}>{t('empty.lookBack')}</Button>}
    >
      {t('empty.quietHint')}
    </EmptyState>
  )
}

/** Explains how to make the first row. */
function FirstCall() {
  const { t } = useTranslation('logs')
  const address = useServerAddress()
  return (
    <EmptyState
      icon={ScrollText}
      title={t('empty.title')}
      className="w-full max-w-3xl!"
      action={
        <>
          <LinkButton to="/token" variant="primary" icon={KeyRound}>
            {t('empty.getKey')}
          </LinkButton>
          <LinkButton to="/playground" icon={MessagesSquare}>
            {t('empty.playground')}
          </LinkButton>
        </>
      }
    >
      <p>{t('empty.description')}</p>
      {/* The snippet scrolls in its box; its length must not widen the page. */}
      <div className="contain-inline-size mt-4 w-full text-left">
        <CodeBlock code={firstCallSnippet(address)} label={t('empty.copySnippet')} />
      </div>
    </EmptyState>
  )
}

function firstCallSnippet(address: string): string {
  return [
    `curl ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer $TOLLGATE_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hello!"}]}'`,
  ].join('\n')
}
