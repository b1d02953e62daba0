import type { Language } from '@tollgate/api'
import { Html, html } from '../html.ts'

/** What is sent to somebody, in their language. */
export interface Message {
  readonly subject: string
  readonly html: string
}

/** What every message may name. */
export interface MessageFacts {
  /** Of the installation. */
  readonly systemName: string
  readonly language: Language
}

/** One template: a subject and paragraphs, in both languages. */
export type Wording = Readonly<
  Record<Language, { readonly subject: string; readonly paragraphs: readonly Html[] }>
>

export function messageOf({ language }: Pick<MessageFacts, 'language'>, wording: Wording): Message {
  const { subject, paragraphs } = wording[language]
  const body = new Html(paragraphs.map((paragraph) => html`<p>${paragraph}</p>`.text).join('\n'))
  const page = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
${body}
</body>
</html>
`
  return { subject, html: page.text }
}
