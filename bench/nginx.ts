import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, loadCore, measuredCore, startPinned, waitForResponse } from './processes.ts'

/** The static upstream's response to every call: one complete chat completion. */
const completion = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1760000000,
  model: 'gpt-4o-mini',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'A short answer to a short question.', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: 24,
    completion_tokens: 8,
    total_tokens: 32,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  },
  system_fingerprint: 'fp_bench',
})

function config(directory: string, name: string, http: string): string {
  return `worker_processes 1; daemon off; pid ${join(directory, `${name}.pid`)}; error_log ${join(directory, `${name}.log`)};
events { worker_connections 8192; }
http { access_log off; keepalive_requests 100000000; client_body_buffer_size 256k;
client_body_temp_path ${directory}; proxy_temp_path ${directory}; fastcgi_temp_path ${directory}; uwsgi_temp_path ${directory}; scgi_temp_path ${directory};
${http} }`
}

async function start(
  directory: string,
  name: string,
  core: string,
  http: string,
  port: number,
): Promise<string> {
  mkdirSync(directory, { recursive: true, mode: 0o777 })
  const file = join(directory, `${name}.conf`)
  writeFileSync(file, config(directory, name, http))
  startPinned(core, ['nginx', '-c', file])
  const url = `http://127.0.0.1:${port}`
  await waitForResponse(url)
  return url
}

/** A static upstream on the load's core: it costs next to nothing, so that the gateway is what is measured. */
export async function startStaticUpstream(directory: string, core = loadCore): Promise<string> {
  const port = await freePort()
  return start(
    directory,
    'upstream',
    core,
    `server { listen 127.0.0.1:${port}; location / { default_type application/json; return 200 '${completion}'; } }`,
    port,
  )
}

/** nginx as a plain reverse proxy on the measured core: the practical limit. */
export async function startProxy(directory: string, upstream: string): Promise<string> {
  const port = await freePort()
  return start(
    directory,
    'proxy',
    measuredCore,
    `upstream u { server ${upstream.slice('http://'.length)}; keepalive 512; }
server { listen 127.0.0.1:${port}; location / { proxy_pass http://u; proxy_http_version 1.1; proxy_set_header Connection ""; } }`,
    port,
  )
}
