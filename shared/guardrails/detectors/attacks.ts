// Detectors of prompt injections, jailbreaks and exploits: phrases as data. An attack has no part to redact, so that
// categories of attacks accept the actions `monitor` and `block` only.
// Levels: `low` needs a phrase that ordinary text does not contain, `high` accepts false alarms.

import type { ScannedText } from '../scanned-text.ts';
import type { Sensitivity } from '../settings.ts';
import type { Detector, Range } from '../types.ts';

interface Phrase {
  id: `${string}/${string}`;
  level: Sensitivity;
  /** The phrase contains at least one of these words. */
  words?: readonly string[];
  contains?: string;
  /** Words in lower case, as an expression. `~` is a run of at most 40 characters within a sentence. */
  pattern?: string;
  /** Instead of a pattern, an expression of code. */
  code?: RegExp;
}

const DIRECT = 'prompt_injection/direct_injection';
const INDIRECT = 'prompt_injection/indirect_injection';
const LEAK = 'prompt_injection/system_prompt_leak';
const ROLE = 'jailbreak/role_play';
const OBFUSCATION = 'jailbreak/obfuscation';
const BYPASS = 'jailbreak/policy_bypass';
const CODE = 'security_exploit/malicious_code';
const SQL = 'security_exploit/sql_injection';
const COMMAND = 'security_exploit/command_injection';
const TRAVERSAL = 'security_exploit/path_traversal';

const INSTRUCTIONS =
  '(?:instructions?|prompts?|rules|guidelines|directives|directions|context|messages?|commands?)';
const PREVIOUS =
  '(?:previous|prior|above|earlier|preceding|existing|original|initial|system|all|your)(?![a-z])';

const PHRASES: readonly Phrase[] = [
  {
    id: DIRECT,
    level: 'low',
    words: ['ignore', 'disregard', 'forget', 'override', 'overrule'],
    pattern: `(?:ignore|disregard|forget|override|overrule)~${PREVIOUS}~${INSTRUCTIONS}`,
  },
  {
    id: DIRECT,
    level: 'low',
    words: ['ignoriere', 'vergiss', 'ignorez', 'oublie', 'oubliez', 'ignora', 'olvida', 'ignore'],
    pattern:
      '(?:ignoriere|vergiss|ignorez?|oubliez?|ignora|olvida)~(?:vorherigen|bisherigen|obigen|précédentes|antérieures|anteriores|previas|precedenti)',
  },
  {
    id: DIRECT,
    level: 'medium',
    words: ['new', 'real', 'updated', 'following'],
    pattern: `(?:your )?(?:new|real|updated|actual) ${INSTRUCTIONS} (?:are|is|follow|:)`,
  },
  {
    id: DIRECT,
    level: 'medium',
    words: ['system', 'developer', 'assistant', 'inst', 'sys', 'im_start'],
    pattern:
      '(?:<\\|?(?:im_start|system|developer)\\|?>|\\[/?inst\\]|<<sys>>|^#{2,3} ?(?:system|instructions?):)',
  },
  {
    id: DIRECT,
    level: 'high',
    words: ['ignore', 'disregard', 'forget', 'stop'],
    pattern: '(?:ignore|disregard|forget|stop following)~(?:everything|instructions?|rules)',
  },
  {
    id: INDIRECT,
    level: 'low',
    words: [
      'assistant',
      'assistants',
      'ai',
      'model',
      'models',
      'llm',
      'llms',
      'chatbot',
      'agent',
      'agents',
    ],
    pattern:
      '(?:note|attention|important|instructions?|message)~(?:to|for)(?: the| any| all)?~(?:ai|llm|assistant|chatbot|model|agent)s?(?: reading| processing|:| summarizing)',
  },
  {
    id: INDIRECT,
    level: 'medium',
    words: ['user'],
    pattern:
      "(?:do not|don't|never) (?:t[e]ll|mention|inform|reveal)~(?:the )?user~(?:instructions?|this|about)",
  },
  {
    id: INDIRECT,
    level: 'medium',
    words: ['send', 'forward', 'post', 'exfiltrate', 'upload', 'email'],
    pattern:
      '(?:send|forward|post|exfiltrate|upload|email)~(?:conversation|chat history|context|secrets?|credentials|api keys?|passwords?)~(?:to|at) (?:https?:|\\S{1,64}@)',
  },
  {
    id: LEAK,
    level: 'low',
    words: [
      'reveal',
      'print',
      'show',
      'repeat',
      'output',
      'display',
      'leak',
      'expose',
      'disclose',
      'share',
    ],
    pattern: `(?:reveal|print|show|repeat|output|display|leak|expose|disclose|share)~(?:system prompt|system message|hidden ${INSTRUCTIONS}|initial ${INSTRUCTIONS}|secret ${INSTRUCTIONS}|developer message)`,
  },
  {
    id: LEAK,
    level: 'low',
    words: ['repeat', 'print', 'output'],
    pattern:
      '(?:repeat|print|output)~(?:above|before)~(?:this|verbatim|starting with|line|you are)',
  },
  {
    id: LEAK,
    level: 'medium',
    words: ['what', 'which', 'list', 'summarize'],
    pattern: `(?:what|which|list|summarize)~your (?:system prompt|(?:original|initial|hidden|secret|exact) ${INSTRUCTIONS})`,
  },
  {
    id: LEAK,
    level: 'high',
    words: ['instructions', 'prompt', 'rules', 'guidelines'],
    pattern: `(?:your|the system) (?:${INSTRUCTIONS})`,
  },
  {
    id: ROLE,
    level: 'low',
    words: ['dan', 'jailbroken', 'jailbreak', 'stan', 'aim', 'devmode'],
    pattern:
      '(?:you are|act as|become|as) (?:now )?(?:dan|stan|aim|a jailbroken|an? unrestricted|an? unfiltered)(?![a-z])|do anything now|dan mode|jailbroken mode',
  },
  {
    id: ROLE,
    level: 'low',
    words: ['developer', 'debug', 'god', 'sudo', 'admin', 'maintenance', 'unrestricted'],
    pattern:
      '(?:enable|enter|activate|switch to|you are(?: now)? in) (?:developer|debug|god|sudo|admin|maintenance|unrestricted|jailbreak) mode',
  },
  {
    id: ROLE,
    level: 'medium',
    words: ['pretend', 'act', 'roleplay', 'role', 'imagine', 'simulate'],
    pattern:
      '(?:pretend|act as|role-?play|imagine|simulate)~(?:no|without|not bound by|free (?:of|from)|ignores?)~(?:restrictions?|rules|limits|filters?|guidelines|ethics|morals|policies|censorship)',
  },
  {
    id: ROLE,
    level: 'high',
    words: ['pretend', 'roleplay', 'imagine', 'act'],
    pattern: '(?:pretend (?:to be|you are)|roleplay as|imagine you are|act as if you)',
  },
  {
    id: OBFUSCATION,
    level: 'low',
    words: ['decode', 'decrypt', 'base64', 'rot', 'hex', 'reverse', 'cipher'],
    pattern:
      '(?:decode|decrypt|de-?obfuscate|reverse)~(?:and|then)~(?:follow|execute|obey|run|comply|do what|answer|respond)',
  },
  {
    id: OBFUSCATION,
    level: 'medium',
    words: ['respond', 'answer', 'reply', 'write', 'output', 'encode'],
    pattern:
      '(?:respond|answer|reply|write|output|encode)~(?:in|as|using|with) (?:base64|rot-?13|morse|leet ?speak|pig latin|hex(?:adecimal)?|binary|a cipher)~(?:avoid|bypass|evade|filter|so that|detect)',
  },
  {
    id: OBFUSCATION,
    level: 'high',
    words: ['base64', 'rot', 'leetspeak', 'morse'],
    pattern: '(?:in|as|from|using) (?:base64|rot-?13|leet ?speak|morse)',
  },
  {
    id: BYPASS,
    level: 'low',
    words: ['bypass', 'disable', 'circumvent', 'evade', 'remove', 'off', 'jailbreak'],
    pattern:
      '(?:bypass|disable|circumvent|evade|remove|turn off|switch off|jailbreak)~(?:your |the |all |any |its )(?:safety|content|ethical|moral|security)?~(?:filters?|guardrails?|restrictions|safeguards|moderation|alignment|safety|censorship)',
  },
  {
    id: BYPASS,
    level: 'low',
    words: ['without', 'no'],
    pattern:
      '(?:respond|answer|reply|write|speak|operate)~(?:without|with no)~(?:restrictions|censorship|filters?|moral|ethical|warnings or|disclaimers? or|safety)',
  },
  {
    id: BYPASS,
    level: 'medium',
    words: ['never', 'not', 'cannot', 'must'],
    pattern:
      "(?:never|do not|don't|cannot|must not|can't) (?:refuse|decline|apologi[sz]e|warn)~(?:request|question|anything|answer|no matter|regardless|,|\\.)",
  },
  {
    id: BYPASS,
    level: 'high',
    words: ['hypothetically', 'hypothetical', 'fictional', 'educational', 'novel'],
    pattern:
      '(?:hypothetical(?:ly)?|fictional|for educational purposes|in my novel)~(?:how (?:to|would|could|do)|explain|describe|steps)',
  },
  {
    id: CODE,
    level: 'low',
    words: ['write', 'create', 'build', 'generate', 'develop', 'code', 'make'],
    pattern:
      '(?:write|create|build|generate|develop|code|make)~(?:ransomware|keylogger|malware|rootkit|trojan|botnet|spyware|computer virus|crypto ?locker|worm that|reverse shell)',
  },
  {
    id: CODE,
    level: 'medium',
    words: ['eval', 'exec', 'invoke', 'iex', 'powershell'],
    code: /(?:eval ?\((?:atob|base64_decode|unescape|gzinflate)|exec ?\(base64|invoke-expression|iex ?\(|powershell(?:\.exe)? -(?:e|enc|encodedcommand) )/,
  },
  {
    id: SQL,
    level: 'low',
    words: ['or', 'and', 'drop', 'select', 'waitfor', 'xp_cmdshell'],
    code: /' ?(?:or|and) ?'?1'? ?= ?'?1|['"0-9)]\s{0,4};\s{0,4}drop\s{1,4}(?:table|database)\s|waitfor\s{1,4}delay\s{1,4}'|(?:and|or|select)\s{1,4}(?:sleep|benchmark|pg_sleep) ?\(\d{1,9}|xp_cmdshell/,
  },
  {
    id: SQL,
    level: 'medium',
    words: ['union', 'drop'],
    code: /union\s{1,4}(?:all\s{1,4})?select\s[^\n]{1,80}\sfrom\s|;\s{0,4}drop\s{1,4}(?:table|database)\s/,
  },
  {
    id: SQL,
    level: 'high',
    words: ['drop', 'truncate', 'delete'],
    code: /(?:drop table|truncate table|delete from) [a-z_."]{1,60}(?: ?;|$| where 1)/m,
  },
  {
    id: COMMAND,
    level: 'low',
    words: ['rm', 'curl', 'wget', 'nc', 'tcp', 'mkfifo'],
    code: /rm -rf? (?:--no-preserve-root )?\/(?![a-z0-9])|(?:curl|wget) [^\n|]{1,200}\| ?(?:sudo )?(?:ba|z)?sh(?![a-z])|\/dev\/tcp\/\d|mkfifo \/tmp\/|(?<![a-z])nc (?:-[a-z]{1,4} ){1,3}\d/,
  },
  {
    id: COMMAND,
    level: 'medium',
    words: ['rm', 'curl', 'wget', 'bash', 'nc', 'whoami', 'cat'],
    code: /(?:;|&&|\||\$\() ?(?:rm -rf?|cat \/etc\/|whoami|wget |curl |nc -|bash -[ci])(?![a-z])/,
  },
  {
    id: TRAVERSAL,
    level: 'low',
    contains: '..',
    code: /(?:\.\.[/\\]|\.\.%2f){2}(?:[\w.-]{1,40}[/\\]){0,3}(?:etc|windows|proc|root|boot\.ini|win\.ini|passwd|shadow|\.ssh|\.env|id_rsa)(?![a-z])/,
  },
  {
    id: TRAVERSAL,
    level: 'low',
    words: ['etc', 'windows', 'proc', '2e'],
    code: /(?:%2e%2e(?:%2f|%5c|\/)){2,40}|(?:file:\/{1,3}|['" =(]|^)\/etc\/(?:passwd|shadow)(?![a-z])|\\windows\\(?:win\.ini|system32)|\/proc\/self\/environ/m,
  },
  { id: TRAVERSAL, level: 'high', contains: '..', code: /(?:\.\.[/\\]|\.\.%2f){2}/ },
];

/** A gap within a sentence. Its repetition is bounded, and every phrase begins with a word: the scan is linear. */
const GAP = '[^.!?]{0,40}?(?<![a-z])';
/** Blanks in a phrase match any run of white space. */
function compilePhrase({ pattern = '', code }: Phrase): RegExp {
  if (code !== undefined) return new RegExp(code.source, `${code.flags}g`);
  const source = pattern
    .replaceAll('~', GAP)
    .replaceAll(' ?', '\\s{0,4}')
    .replaceAll(' ', '\\s{1,4}');
  return new RegExp(`(?<![a-z])(?:${source})`, 'gm');
}

/** Unicode tag characters, which models read and people do not see. */
const TAG_CHARACTERS = /\udb40[\udc20-\udc7e](?:\udb40[\udc20-\udc7e]){3,}/g;

const PHRASE_DETECTORS = PHRASES.map((phrase): Detector => {
  const { id, level, pattern: _pattern, code: _code, ...requires } = phrase;
  const [category = '', subcategory = ''] = id.split('/');
  const expression = compilePhrase(phrase);
  return {
    name: `${subcategory}_phrase`,
    category,
    subcategory,
    level,
    requires,
    find: (scanned) => findPhrases(scanned, expression),
  };
});

/** Finds phrases in the text as people read it. Positions are exact unless the text contains hidden characters. */
function findPhrases(scanned: ScannedText, expression: RegExp): Range[] {
  const plain = scanned.withoutHidden;
  const ranges = Array.from(plain.lower.matchAll(expression), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  if (plain === scanned || ranges.length === 0) return ranges;
  return [{ start: 0, end: scanned.text.length }];
}

export const ATTACK_DETECTORS: readonly Detector[] = [
  ...PHRASE_DETECTORS,
  {
    name: 'tag_characters',
    category: 'prompt_injection',
    subcategory: 'indirect_injection',
    level: 'low',
    requires: { contains: '\udb40' },
    find: ({ text }) =>
      Array.from(text.matchAll(TAG_CHARACTERS), ({ index, 0: match }) => ({
        start: index,
        end: index + match.length,
      })),
  },
];
