import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, MessageCircle } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { useChatEntries } from './chat-entries.ts'

/** The operator's chat clients: folded under one entry, a menu beside the rail. */
export function ChatMenu({ collapsed }: { readonly collapsed: boolean }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const entries = useChatEntries()
  const [open, setOpen] = useState(false)
  if (entries.length === 0) return null
  if (collapsed) {
    return (
      <Menu
        align="start"
        trigger={<IconButton icon={MessageCircle} label={t('nav.chat')} className="w-full" tooltip={false} />}
        items={entries.map(({ id, name }) => ({
          kind: 'action' as const,
          label: name,
          run: () => void navigate({ to: '/chat/$id', params: { id } }),
        }))}
      />
    )
  }
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8 items-center gap-2.5 rounded px-2.5 text-muted text-sm transition-colors hover:bg-hover hover:text-text"
      >
        <MessageCircle className="size-4 shrink-0" aria-hidden />
        <span className="flex-1 truncate text-left">{t('nav.chat')}</span>
        <ChevronDown className={cx('size-3.5 transition-transform', !open && '-rotate-90')} aria-hidden />
      </button>
      {open &&
        entries.map(({ id, name }) => (
          <Link
            key={id}
            to="/chat/$id"
            params={{ id }}
            className="flex h-8 items-center rounded pr-2.5 pl-9 text-muted text-sm transition-colors hover:bg-hover hover:text-text"
          >
            <span className="truncate">{name}</span>
          </Link>
        ))}
    </>
  )
}
