/* The device view's rows of the keys table (keymap.h). */
#ifndef TUI_VIEWS_DEVICES_KEYS_DEVICES_H
#define TUI_VIEWS_DEVICES_KEYS_DEVICES_H

/* clang-format off */
#define ACTIONS_DEVICES(X) \
	X(devices,      "devices",       IN_ALL,     'D',           '6',           "", \
		"every device: what it is, where that is known from, its self-test") \
	X(device_down,  "device-down",   IN_DEVICES, TK_DOWN,       TK_NONE,       "choose",   "next device; in the details the next line") \
	X(device_up,    "device-up",     IN_DEVICES, TK_UP,         TK_NONE,       "",         "the one before") \
	X(device_enter, "device-enter",  IN_DEVICES, TK_ENTER,      TK_NONE,       "use", \
		"go on with this device; on a constant of a software GPU: type another value") \
	X(device_details, "device-details", IN_DEVICES, TK_TAB,     TK_NONE,       "details",  "to the details and back to the list") \
	X(device_test,  "device-test",   IN_DEVICES, 't',           TK_NONE,       "self-test", \
		"timer, empty launch, wall clock, copies: each with a verdict") \
	X(device_pin,   "device-pin",    IN_DEVICES, 'p',           TK_NONE,       "measure+pin", \
		"measure the present sweep on this device too and pin the curve") \
	X(device_add,   "device-add",    IN_DEVICES, 'a',           TK_NONE,       "add", \
		"add a device by name: soft:mi25,l1_bytes=65536, hip:1, replay:FILE") \
	X(device_again, "device-again",  IN_DEVICES, 'r',           TK_NONE,       "",         "ask this device again what it is") \
	X(device_page_down, "device-page-down", IN_DEVICES, TK_PAGE_DOWN, TK_NONE, "",         "ten details down") \
	X(device_page_up, "device-page-up", IN_DEVICES, TK_PAGE_UP, TK_NONE,       "",         "ten details up")
/* clang-format on */

#endif
