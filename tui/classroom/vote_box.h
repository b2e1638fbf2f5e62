/* The vote on one question: what each device has chosen. It does not depend on the page for phones: when the page is
 * closed, the votes stay.
 *
 * A number tells the questions and their rounds apart. No question or round gets the number of another one, and the
 * first number is random: a page that a phone still shows, of an earlier question, of the first round or of an earlier
 * start of the program, never votes on this one.
 */
#ifndef TUI_CLASSROOM_VOTE_BOX_H
#define TUI_CLASSROOM_VOTE_BOX_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>

enum { VOTE_CHOICES_MAX = 6, VOTE_DEVICES_MAX = 1000, VOTE_TEXT_MAX = 600 };

struct vote_question {
	char text[VOTE_TEXT_MAX], choices[VOTE_CHOICES_MAX][VOTE_TEXT_MAX];
	char reasons[VOTE_CHOICES_MAX][VOTE_TEXT_MAX]; /* why each choice is right or wrong */
	int count;                                     /* of the choices; 0: no question */
	int right;                                     /* the place of the right choice, 0 for a */
	int round;                                     /* of the votes on this question, from 1 */
};

enum vote_state { VOTE_OVER, VOTE_OPEN, VOTE_REVEALED /* over, and everyone may see the answer */ };

/* What has one vote: an address of the local network, or a browser, which a cookie tells apart where phones share an
 * address. A cookie is not a person: another browser or a private window has another one. */
enum vote_by { VOTE_BY_ADDRESS, VOTE_BY_BROWSER };

enum { VOTE_TOKEN_TEXT = 33 /* 128 random bits in hexadecimal */ };

/* With votes by browser, addresses are devices without a vote: their requests are limited, too. */
struct vote_device {
	in_addr_t address;
	char token[VOTE_TOKEN_TEXT]; /* of a browser; "": the device is the address */
	int choice;                  /* from 1; 0: none */
	int requests;
	long long since; /* now_ms: the window of `requests` began */
	long long seen;  /* now_ms of the last request */
};

/* How long phones may vote. */
struct vote_timer {
	long long deadline; /* of the box's clock, ms; 0: no timer */
	bool ends_vote;     /* votes after it do not count */
	unsigned number;    /* another one for each start and stop: pages follow it */
};

/* The page is served by another thread: who uses a member holds the lock. The functions below take it themselves,
 * unless noted otherwise. */
struct vote_box {
	pthread_mutex_t lock;
	struct vote_question question;
	unsigned number; /* of the question; a second round has another one */
	enum vote_state state;
	enum vote_by by;
	struct vote_timer timer;
	long long (*clock)(void); /* now_ms, unless a test replaces it */
	struct vote_device devices[VOTE_DEVICES_MAX];
	int device_count;
};

void vote_box_init(struct vote_box *b); /* without a question; vote_box_destroy */
void vote_box_destroy(struct vote_box *b);

/* Before a question: what has one vote. A change forgets the devices with their votes. */
void vote_box_identify(struct vote_box *b, enum vote_by by);
/* Puts a question to the class; all earlier votes are gone, and a timer is. */
void vote_box_ask(struct vote_box *b, const struct vote_question *q);
void vote_box_end(struct vote_box *b);    /* accepts no more votes; those so far stay */
void vote_box_reveal(struct vote_box *b); /* and shows the answer to who asks */
void vote_box_clear(struct vote_box *b);  /* no question, no votes */
/* 0 seconds: without a timer. */
void vote_box_start_timer(struct vote_box *b, int seconds, bool ends_vote);
/* Seconds, a part counts as one; 0: the time is up; -1: no timer. The caller of the first one holds the lock. */
int vote_box_find_seconds(const struct vote_box *b);
int vote_box_count_seconds(struct vote_box *b);
/* The votes for each choice so far; returns their number. */
int vote_box_count(struct vote_box *b, int counts[VOTE_CHOICES_MAX]);
/* Addresses or browsers that have asked for the page. */
int vote_box_count_devices(struct vote_box *b);

/* The device with that address, as new if it is not known. A new one takes the place of a device without a vote if
 * there are too many; NULL if all of them have voted. The caller holds the lock. */
struct vote_device *vote_box_find_device(struct vote_box *b, in_addr_t address);
/* The browser with that token; NULL if it is not known. The caller holds the lock. */
struct vote_device *vote_box_find_browser(struct vote_box *b, const char *token);
/* A new browser with a token of its own, under the same conditions as a new address; NULL as well without random
 * numbers. The caller holds the lock. */
struct vote_device *vote_box_add_browser(struct vote_box *b, in_addr_t address);

#endif
