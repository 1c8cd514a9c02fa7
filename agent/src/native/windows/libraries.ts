// Functions of Windows that the agent calls. Handles are `intptr_t`, texts are UTF-16, and other memory is a buffer.
import { bindLibrary } from '../native-library.ts';

const HANDLE = 'intptr_t';
const MEMORY = 'void *';
const TEXT = 'str16';

export const kernel32 = bindLibrary('kernel32.dll', {
  OpenProcess: [HANDLE, 'uint32', 'int', 'uint32'],
  CloseHandle: ['int', HANDLE],
  TerminateProcess: ['int', HANDLE, 'uint32'],
  WaitForSingleObject: ['uint32', HANDLE, 'uint32'],
  QueryFullProcessImageNameW: ['int', HANDLE, 'uint32', MEMORY, MEMORY],
  GetProcessTimes: ['int', HANDLE, MEMORY, MEMORY, MEMORY, MEMORY],
  ReadProcessMemory: ['int', HANDLE, 'uint64', MEMORY, 'size_t', MEMORY],
  GetCurrentProcess: [HANDLE],
  GetDriveTypeW: ['uint32', TEXT],
  CreateFileW: [HANDLE, TEXT, 'uint32', 'uint32', MEMORY, 'uint32', 'uint32', HANDLE],
  GetFinalPathNameByHandleW: ['uint32', HANDLE, MEMORY, 'uint32', 'uint32'],
  GetNamedPipeServerProcessId: ['int', HANDLE, MEMORY],
  ReplaceFileW: ['int', TEXT, TEXT, TEXT, 'uint32', MEMORY, MEMORY],
  LocalFree: ['uint64', 'uint64'],
});

export const ntdll = bindLibrary('ntdll.dll', {
  NtQuerySystemInformation: ['int32', 'uint32', MEMORY, 'uint32', MEMORY],
  NtQueryInformationProcess: ['int32', HANDLE, 'uint32', MEMORY, 'uint32', MEMORY],
});

export const advapi32 = bindLibrary('advapi32.dll', {
  OpenProcessToken: ['int', HANDLE, 'uint32', MEMORY],
  GetTokenInformation: ['int', HANDLE, 'uint32', MEMORY, 'uint32', MEMORY],
  RegOpenKeyExW: ['int32', 'int64', TEXT, 'uint32', 'uint32', MEMORY],
  RegCloseKey: ['int32', HANDLE],
  RegEnumKeyExW: ['int32', HANDLE, 'uint32', MEMORY, MEMORY, MEMORY, MEMORY, MEMORY, MEMORY],
  RegEnumValueW: ['int32', HANDLE, 'uint32', MEMORY, MEMORY, MEMORY, MEMORY, MEMORY, MEMORY],
  ConvertStringSecurityDescriptorToSecurityDescriptorW: ['int', TEXT, 'uint32', MEMORY, MEMORY],
  GetSecurityDescriptorDacl: ['int', 'uint64', MEMORY, MEMORY, MEMORY],
  GetSecurityInfo: ['uint32', HANDLE, 'uint32', 'uint32', MEMORY, MEMORY, MEMORY, MEMORY, MEMORY],
  SetSecurityInfo: ['uint32', HANDLE, 'uint32', 'uint32', MEMORY, MEMORY, 'uint64', MEMORY],
  GetLengthSid: ['uint32', 'uint64'],
  RegisterEventSourceW: [HANDLE, TEXT, TEXT],
  ReportEventW: [
    'int',
    HANDLE,
    'uint16',
    'uint16',
    'uint32',
    MEMORY,
    'uint16',
    'uint32',
    MEMORY,
    MEMORY,
  ],
  DeregisterEventSource: ['int', HANDLE],
});
