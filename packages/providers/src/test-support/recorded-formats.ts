/** Recognises the recordings of Azure that were made without the Responses API. */
export const isOfDeepSeek = (name: string) => name.startsWith('azure-deepseek')

/** Vendors with a format of their own. */
export const otherFormats: readonly OtherFormat[] = [
  {
    vendor: 'anthropic',
    channelType: 14,
    frame: (line: string) => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`,
    isLast: (line: string) => JSON.parse(line).type === 'message_stop',
  },
  {
    vendor: 'google',
    channelType: 24,
    frame: (line: string) => `data: ${line}\r\n\r\n`,
    isLast: () => false,
  },
  {
    vendor: 'cohere',
    channelType: 34,
    frame: (line: string) => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`,
    isLast: (line: string) => JSON.parse(line).type === 'message-end',
  },
  ...(
    [
      ['openai-responses', 1],
      ['open-responses', 1007],
      ['xai-responses', 48],
      ['azure', 3],
    ] as const
  ).map(([vendor, channelType]) => ({
    vendor,
    channelType,
    api: 'openai-responses' as const,
    isOwn: (name: string) => !isOfDeepSeek(name),
    frame: (line: string) => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`,
    isLast: (line: string) => JSON.parse(line).type === 'response.completed',
  })),
]

export interface OtherFormat {
  readonly vendor: string
  readonly channelType: number
  /** The caller's, where the upstream has several. */
  readonly api?: 'openai-responses'
  /** Selects files of the folder; all of its chat by default. */
  readonly isOwn?: (name: string) => boolean
  /** One event on the wire. */
  frame(line: string): string
  /** Some files hold several responses. */
  isLast(line: string): boolean
}

/** The responses among the lines of a file, one after the other, as they arrived. */
export function streamsIn(lines: readonly string[], { frame, isLast }: OtherFormat): readonly string[] {
  const streams: string[] = []
  let isOpen = false
  for (const line of lines) {
    if (isOpen) streams.push(`${streams.pop()}${frame(line)}`)
    else streams.push(frame(line))
    isOpen = !isLast(line)
  }
  return streams
}
