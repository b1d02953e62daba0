import type { Incident } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { localList } from '../../i18n/local-list.ts'
import { formatDateTime } from '../../lib/format/format.ts'
import { useIncidentWords } from './incident-words.ts'

/** Characters that Markdown would read as its own. */
const marks = /[\\`*_[\]<>#|~]/g

/** A name as Markdown shows it to the letter. */
function escapeMarkdown(text: string): string {
  return text.replaceAll('\n', ' ').replace(marks, (mark) => `\\${mark}`)
}

/** Returns incidents as Markdown, in the reader's language: a heading each, and a list of what is known. */
export function useIncidentMarkdown(): (incidents: readonly Incident[]) => string {
  const { t } = useTranslation('incidents')
  const words = useIncidentWords()
  return (incidents) =>
    incidents
      .map((incident) => {
        const { accepted } = incident
        const facts: readonly (readonly [name: string, text: string])[] = [
          [t('column.since'), formatDateTime(incident.opened_at)],
          [t('column.ended'), incident.ended_at > 0 ? formatDateTime(incident.ended_at) : t('lasts')],
          [t('column.lost'), localList(words.losses(incident))],
          [t('column.concerned'), words.concerned(incident).join(' · ')],
          [t('column.reason'), words.reason(incident)],
          [t('column.accepted'), accepted === null ? '' : `${accepted.by} ${accepted.note}`.trim()],
        ]
        const lines = facts
          .filter(([, text]) => text !== '')
          .map(([name, text]) => `- **${name}**: ${escapeMarkdown(text)}`)
        return [`## ${escapeMarkdown(words.title(incident))}`, '', ...lines].join('\n')
      })
      .join('\n\n')
}
