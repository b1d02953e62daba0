import type { LogEntry } from '@tollgate/api'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../../components/ui/tag.tsx'
import { useAccount } from './account.tsx'
import { Facts } from './facts.tsx'
import { readOther } from './other.ts'
import { RawOther } from './raw-other.tsx'

/** Everything a row says, one part below the other. */
export function EntryDetails({ entry, admin }: { readonly entry: LogEntry; readonly admin: boolean }) {
  const { t } = useTranslation('logs')
  const { other, broken } = useMemo(() => readOther(entry.other), [entry.other])
  return (
    <div className="flex flex-col gap-6">
      {broken && <Notice tone="warn">{t('entry.broken')}</Notice>}
      {useAccount(entry, other, admin).map(({ id, title, content }) => (
        <Section key={id} title={title}>
          {content}
        </Section>
      ))}
      <Section title={t('section.facts')}>
        <Facts entry={entry} admin={admin} other={other} />
      </Section>
      <RawOther text={entry.other} />
    </div>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-semibold text-sm">{title}</h3>
      {children}
    </section>
  )
}
